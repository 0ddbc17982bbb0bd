import { trailOperations } from "../../../fixtures/src/operations/trail.ts";
import { testVectors } from "../../../fixtures/test/test-vectors.ts";

testVectors("trail", trailOperations);
