import { testVectors } from "@agentprint/testing/vectors/test-vectors";
import { mcpLockOperations } from "../../../fixtures/ports/typescript/src/operations/mcp-lock.ts";

testVectors("mcp-lock", mcpLockOperations, { exact: true, only: (suite) => suite !== "mcp-lock/redacted-launches" });
