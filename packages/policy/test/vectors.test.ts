import { testVectors } from "@agentprint/testing/vectors/test-vectors";
import { policyOperations } from "../../../fixtures/src/operations/policy.ts";

testVectors("policy", policyOperations, { exact: true });
