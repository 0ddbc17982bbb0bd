import { testVectors } from "@agentprint/testing/vectors/test-vectors";
import { consentOperations } from "../../../fixtures/src/operations/consent.ts";
import { manifestOperations } from "../../../fixtures/src/operations/manifest.ts";
import { toolCallOperations } from "../../../fixtures/src/operations/tool-calls.ts";

testVectors("manifest", { ...manifestOperations, ...consentOperations, ...toolCallOperations }, { exact: true });
