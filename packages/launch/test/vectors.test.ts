import { testVectors } from "@agentprint/testing/vectors/test-vectors";
import { launchOperations } from "../../../fixtures/ports/typescript/src/operations/launch.ts";
import { mcpLockOperations } from "../../../fixtures/ports/typescript/src/operations/mcp-lock.ts";

testVectors("launch", launchOperations, { exact: true });
testVectors("mcp-lock", mcpLockOperations, { exact: true, only: (suite) => suite === "mcp-lock/redacted-launches" });
