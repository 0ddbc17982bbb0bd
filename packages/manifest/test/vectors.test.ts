import { consentOperations } from "../../../fixtures/ports/typescript/src/operations/consent.ts";
import { manifestOperations } from "../../../fixtures/ports/typescript/src/operations/manifest.ts";
import { toolCallOperations } from "../../../fixtures/ports/typescript/src/operations/tool-calls.ts";
import { testVectors } from "../../../fixtures/test/test-vectors.ts";

testVectors("manifest", { ...manifestOperations, ...consentOperations, ...toolCallOperations }, { exact: true });
