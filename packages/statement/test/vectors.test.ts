import { testVectors } from "@agentprint/testing/vectors/test-vectors";
import { statementOperations } from "../../../fixtures/ports/typescript/src/operations/statement.ts";

testVectors("statement", statementOperations, { exact: true });
