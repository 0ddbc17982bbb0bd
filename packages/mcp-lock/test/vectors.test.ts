import { testVectors } from "@agentprint/testing/vectors/test-vectors";
import { mcpLockOperations } from "../../../fixtures/ports/typescript/src/operations/mcp-lock.ts";

const OTHERS = ["mcp-lock/redacted-launches", "mcp-lock/content-text"];

testVectors("mcp-lock", mcpLockOperations, { exact: true, only: (suite) => !OTHERS.includes(suite) });
// The long texts exist only as digests.
testVectors("mcp-lock", mcpLockOperations, { only: (suite) => suite === "mcp-lock/content-text" });
