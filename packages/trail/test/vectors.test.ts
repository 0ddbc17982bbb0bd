import { trailOperations } from "../../../fixtures/ports/typescript/src/operations/trail.ts";
import { testVectors } from "../../../fixtures/test/test-vectors.ts";

testVectors("trail", trailOperations);
