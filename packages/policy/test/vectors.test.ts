import { testVectors } from "@agentprint/testing/vectors/test-vectors";
import { policyOperations } from "../../../fixtures/ports/typescript/src/operations/policy.ts";

testVectors("policy", policyOperations, { exact: true });
