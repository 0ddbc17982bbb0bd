import { testVectors } from "@agentprint/testing/vectors/test-vectors";
import { trailOperations } from "../../../fixtures/ports/typescript/src/operations/trail.ts";

testVectors("trail", trailOperations);
