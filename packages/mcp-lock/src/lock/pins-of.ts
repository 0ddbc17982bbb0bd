import { printable } from "@agentprint/canonical-json";
import type { SessionName } from "@agentprint/mcp";
import { pinTools, type ToolPins } from "@agentprint/tool-pins";
import { checkArgument, ENTRY } from "../check-argument.ts";
import { McpLockError } from "../errors.ts";
import type { LockedServer } from "./lock.ts";
import { sessionState } from "./session-state.ts";

/**
 * Returns the pins of an entry's tools, with their definitions, in the form that `compareTools` of
 * `@agentprint/tool-pins` accepts.
 *
 * @param session The session whose tools are used; required if the entry's sessions differ.
 * @throws {@link McpLockError} `invalid-argument` if the entry has no such session, or if no session is named and the
 * sessions differ.
 *
 * @example
 * ```ts
 * import { lockTools, pinsOf } from "@agentprint/mcp-lock";
 * import { compareTools } from "@agentprint/tool-pins";
 *
 * const [entry] = lockTools("own", [{ name: "add" }]).servers;
 * if (entry) console.log(compareTools(pinsOf(entry), [{ name: "add" }]).same); // true
 * ```
 */
export function pinsOf(entry: LockedServer, session?: SessionName): ToolPins {
  checkArgument("entry", entry, ENTRY);
  checkArgument("session", session, "string?");
  const { sessions } = entry;
  const spoken = session === undefined ? sessions[0] : sessions.find((each) => each.session === session);
  const isUnclear = session === undefined && entry.tools.some(({ seenBy }) => seenBy !== undefined);
  if (isUnclear || (session !== undefined && spoken === undefined)) {
    const names = sessions.map((each) => `"${each.session}"`).join(", ");
    const received = session === undefined ? "none, but they saw different tools" : printable(session);
    throw new McpLockError("invalid-argument", "", `session: expected one of ${names}, received ${received}`);
  }
  const { tools } = spoken === undefined ? entry : sessionState(entry, spoken);
  return pinTools(
    tools.map(({ definition }) => definition),
    { definitions: true },
  );
}
