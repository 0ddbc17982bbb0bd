import { statementOperations } from "../../../fixtures/ports/typescript/src/operations/statement.ts";
import { testVectors } from "../../../fixtures/test/test-vectors.ts";

testVectors("statement", statementOperations, { exact: true });
