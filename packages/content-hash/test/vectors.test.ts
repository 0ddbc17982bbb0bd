import { testVectors } from "@agentprint/testing/vectors/test-vectors";
import { contentHashOperations } from "../../../fixtures/ports/typescript/src/operations/content-hash.ts";

testVectors("content-hash", contentHashOperations);
