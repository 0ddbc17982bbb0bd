import { testVectors } from "@agentprint/testing/vectors/test-vectors";
import { droverOperations } from "../../../fixtures/ports/typescript/src/operations/drover.ts";

testVectors("drover", droverOperations);
