import { policyOperations } from "../../../fixtures/ports/typescript/src/operations/policy.ts";
import { testVectors } from "../../../fixtures/test/test-vectors.ts";

testVectors("policy", policyOperations, { exact: true });
