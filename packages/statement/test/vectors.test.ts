import { testVectors } from "@agentprint/testing/vectors/test-vectors";
import { statementOperations } from "../../../fixtures/src/operations/statement.ts";

testVectors("statement", statementOperations, { exact: true });
