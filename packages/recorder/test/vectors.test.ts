import { testVectors } from "@agentprint/testing/vectors/test-vectors";
import { recorderOperations } from "../../../fixtures/ports/typescript/src/operations/recorder.ts";

testVectors("recorder", recorderOperations, { exact: true });
