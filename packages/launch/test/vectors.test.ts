import { testVectors } from "@agentprint/testing/vectors/test-vectors";
import { launchOperations } from "../../../fixtures/ports/typescript/src/operations/launch.ts";

testVectors("launch", launchOperations, { exact: true });
testVectors("mcp-lock", launchOperations, { exact: true, only: (suite) => suite === "mcp-lock/redacted-launches" });
