import type { Era, SessionAnswers, View } from "@agentprint/mcp";
import { checkArgument, ENTRY } from "../check-argument.ts";
import type { LockedServer } from "../lock/lock.ts";
import { lockSession } from "../lock/lock-server.ts";
import { readSession } from "../visit/read-session.ts";
import { steadySession } from "../visit/steady-session.ts";
import { type ComparedState, stateOfSession } from "./compared-state.ts";
import { nearestSession } from "./nearest-session.ts";

/**
 * The definitions that a server sends in one session, or some of them, with their digests, in the form that a diff
 * compares.
 */
export type Offered = ComparedState;

/**
 * Returns the definitions that a lock holds for a client in an era: those of the session with that era and view, or of
 * the nearest pinned session.
 *
 * @example
 * ```ts
 * import { offeredByLock } from "@agentprint/mcp-lock";
 *
 * const [entry] = lock.servers;
 * if (entry) console.log(offeredByLock(entry, "legacy").tools.length); // 1
 * ```
 */
export function offeredByLock(entry: LockedServer, era: Era, view: View = "client"): Offered {
  checkArgument("entry", entry, ENTRY);
  checkArgument("era", era, "string");
  checkArgument("view", view, "string");
  return stateOfSession(entry, nearestSession(`${era}/${view}`, entry.sessions) ?? `${era}/${view}`);
}

/**
 * Returns the definitions in the raw answers of one session; a list that was not requested is absent.
 *
 * @param unstable The pointers of members that may differ, in the same form as in a lock entry.
 * @throws {@link McpLockError} `invalid-definition`, `duplicate-name`, `server-unstable`, `unstable-member` if the
 * answers cannot be read.
 *
 * @example
 * ```ts
 * import { offeredByAnswers } from "@agentprint/mcp-lock";
 *
 * const lists = { tools: [[{ tools: [{ name: "move_file" }] }]] };
 * const session = { era: "legacy", view: "client", protocolVersion: "2025-11-25", greetings: [], lists, contents: [] } as const;
 * console.log(offeredByAnswers(session).tools[0]?.digests.wire.length); // 64
 * ```
 */
export function offeredByAnswers(answers: SessionAnswers, unstable: readonly string[] = []): Offered {
  checkArgument("answers", answers, { era: "string", greetings: ["object"], lists: "object", contents: "array" });
  checkArgument("unstable", unstable, "array");
  return lockSession(steadySession(readSession(answers, 0), unstable));
}
