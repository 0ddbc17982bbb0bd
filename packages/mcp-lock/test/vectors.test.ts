import { testVectors } from "@agentprint/testing/vectors/test-vectors";
import { mcpLockOperations } from "../../../fixtures/src/operations/mcp-lock.ts";

testVectors("mcp-lock", mcpLockOperations, { exact: true, only: (suite) => suite !== "mcp-lock/redacted-launches" });
