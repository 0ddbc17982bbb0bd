import { testVectors } from "@agentprint/testing/vectors/test-vectors";
import { recorderOperations } from "../../../fixtures/src/operations/recorder.ts";

testVectors("recorder", recorderOperations, { exact: true });
