import { testVectors } from "@agentprint/testing/vectors/test-vectors";
import { registryApiOperations } from "../../../fixtures/ports/typescript/src/operations/registry-api.ts";

testVectors("registry-api", registryApiOperations, { exact: true });
