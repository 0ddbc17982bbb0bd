import { droverOperations } from "../../../fixtures/ports/typescript/src/operations/drover.ts";
import { testVectors } from "../../../fixtures/test/test-vectors.ts";

testVectors("drover", droverOperations);
