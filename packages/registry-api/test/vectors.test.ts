import { registryApiOperations } from "../../../fixtures/ports/typescript/src/operations/registry-api.ts";
import { testVectors } from "../../../fixtures/test/test-vectors.ts";

testVectors("registry-api", registryApiOperations, { exact: true });
