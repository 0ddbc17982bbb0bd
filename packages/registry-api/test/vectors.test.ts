import { registryApiOperations } from "../../../fixtures/src/operations/registry-api.ts";
import { testVectors } from "../../../fixtures/test/test-vectors.ts";

testVectors("registry-api", registryApiOperations, { exact: true });
