import { testVectors } from "@agentprint/testing/vectors/test-vectors";
import { registryApiOperations } from "../../../fixtures/src/operations/registry-api.ts";

testVectors("registry-api", registryApiOperations, { exact: true });
