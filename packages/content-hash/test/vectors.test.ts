import { contentHashOperations } from "../../../fixtures/ports/typescript/src/operations/content-hash.ts";
import { testVectors } from "../../../fixtures/test/test-vectors.ts";

testVectors("content-hash", contentHashOperations);
