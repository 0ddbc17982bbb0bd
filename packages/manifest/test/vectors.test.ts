import { consentOperations } from "../../../fixtures/src/operations/consent.ts";
import { manifestOperations } from "../../../fixtures/src/operations/manifest.ts";
import { toolCallOperations } from "../../../fixtures/src/operations/tool-calls.ts";
import { testVectors } from "../../../fixtures/test/test-vectors.ts";

testVectors("manifest", { ...manifestOperations, ...consentOperations, ...toolCallOperations }, { exact: true });
