import { recorderOperations } from "../../../fixtures/src/operations/recorder.ts";
import { testVectors } from "../../../fixtures/test/test-vectors.ts";

testVectors("recorder", recorderOperations, { exact: true });
