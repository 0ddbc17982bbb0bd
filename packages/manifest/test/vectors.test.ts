import { testVectors } from "@agentprint/testing/vectors/test-vectors";
import { consentOperations } from "../../../fixtures/ports/typescript/src/operations/consent.ts";
import { manifestOperations } from "../../../fixtures/ports/typescript/src/operations/manifest.ts";
import { toolCallOperations } from "../../../fixtures/ports/typescript/src/operations/tool-calls.ts";

testVectors("manifest", { ...manifestOperations, ...consentOperations, ...toolCallOperations }, { exact: true });
