import { recorderOperations } from "../../../fixtures/ports/typescript/src/operations/recorder.ts";
import { testVectors } from "../../../fixtures/test/test-vectors.ts";

testVectors("recorder", recorderOperations, { exact: true });
