import type { LockedServer } from "@agentprint/mcp-lock";
import { entryOf, strictTool, tool } from "@agentprint/testing/lock/locked-server";

// Names that the documentation's examples use without declaring them.

export const before: LockedServer = entryOf([tool("read")]);
export const after: LockedServer = entryOf([strictTool("read")]);
