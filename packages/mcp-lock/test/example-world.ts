import { writeFileSync } from "node:fs";
import { createLock, formatLock, type LockFile, type ServerSnapshot } from "@agentprint/mcp-lock";
import { filesSnapshot } from "./files-snapshot.ts";

// Names that examples in the documentation use without introducing them, and the file that they read.

export const snapshot: ServerSnapshot = filesSnapshot;
export const servers: Record<string, ServerSnapshot> = { filesystem: snapshot };
export const lock: LockFile = createLock(servers);

writeFileSync("agentprint.lock", formatLock(lock));
