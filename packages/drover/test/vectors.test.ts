import { droverOperations } from "../../../fixtures/src/operations/drover.ts";
import { testVectors } from "../../../fixtures/test/test-vectors.ts";

testVectors("drover", droverOperations);
