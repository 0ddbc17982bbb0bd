import { writeFileSync } from "node:fs";
import type { VisitAnswers } from "@agentprint/mcp";
import { createLock, formatLock, type LockFile } from "@agentprint/mcp-lock";
import { filesAnswers } from "./files-answers.ts";

// Names that examples in the documentation use without introducing them, and the file that they read.

export const answers: VisitAnswers = filesAnswers;
export const servers: Record<string, VisitAnswers> = { filesystem: answers };
export const lock: LockFile = createLock(servers);

writeFileSync("agentprint.lock", formatLock(lock));
