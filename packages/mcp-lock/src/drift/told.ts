import type { LockedServer } from "../lock/lock.ts";
import { lockSession } from "../lock/lock-server.ts";
import { readSession } from "../visit/read-session.ts";
import { steadySession } from "../visit/steady-session.ts";
import type { Era, SessionAnswers } from "../visit/visit-answers.ts";
import { type ComparedState, stateOfSession } from "./compared-state.ts";
import { nearestSession } from "./nearest-session.ts";

/** What one session of a server is told, or a part of it, with digests: in the form in which two of them are compared. */
export type Told = ComparedState;

/**
 * What a lock says that a common client is told in an era: as in the session of that era, or in the nearest one that was pinned.
 *
 * @example
 * ```ts
 * import { toldByLock } from "@agentprint/mcp-lock";
 *
 * const [entry] = lock.servers;
 * if (entry) console.log(toldByLock(entry, "legacy").tools.length); // 1
 * ```
 */
export function toldByLock(entry: LockedServer, era: Era): Told {
  return stateOfSession(entry, nearestSession(`${era}/client`, entry.sessions) ?? `${era}/client`);
}

/**
 * What the raw answers of one session tell: of those questions alone that it has answers to.
 *
 * @param unstable Pointers of members that may differ, as an entry of a lock has them.
 * @throws {@link McpLockError} `invalid-definition`, `duplicate-name`, `server-unstable`, `unstable-member` when the answers cannot be read.
 *
 * @example
 * ```ts
 * import { toldByAnswers } from "@agentprint/mcp-lock";
 *
 * const lists = { tools: [[{ tools: [{ name: "move_file" }] }]] };
 * const session = { era: "legacy", view: "client", protocolVersion: "2025-11-25", greetings: [], lists, contents: [] } as const;
 * console.log(toldByAnswers(session).tools[0]?.digests.wire.length); // 64
 * ```
 */
export function toldByAnswers(answers: SessionAnswers, unstable: readonly string[] = []): Told {
  return lockSession(steadySession(readSession(answers, 0), unstable));
}
