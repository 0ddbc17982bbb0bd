import type { JsonObject } from "@agentprint/canonical-json";
import { type CheckFailure, LISTS, META, type SessionAnswers, type VisitAnswers } from "@agentprint/mcp";
import { LOCK_VERSION, type LockedServer, type LockFile } from "@agentprint/mcp-lock/lock";
import { DEFAULT_POLICY } from "@agentprint/policy/apply";
import type { Context } from "../run/context.ts";
import { printNotices } from "../terminal/notices.ts";

/** Prints a notice for each answer of pinned servers that a guard refuses. */
export async function noteRefusals(
  context: Context,
  entries: readonly LockedServer[],
  found: Readonly<Record<string, VisitAnswers | CheckFailure>>,
): Promise<void> {
  for (const entry of entries) {
    const answers = found[entry.name];
    if (answers === undefined || "failure" in answers) continue;
    printNotices(
      context,
      (await guardNotes(entry, answers)).map((note) => `${entry.name}: ${note}`),
    );
  }
}

/**
 * Returns a sentence for each answer of a visit that a guard refuses although it is pinned, because the guard parses
 * messages strictly, so that no two readers can disagree.
 */
async function guardNotes(entry: LockedServer, answers: VisitAnswers): Promise<string[]> {
  const { createGuard } = await import("@agentprint/guard");
  const notes = new Set<string>();
  for (const session of answers.sessions) {
    const lock: LockFile = { lockVersion: LOCK_VERSION, servers: [entry] };
    const guard = createGuard({
      lock,
      server: entry.name,
      policy: DEFAULT_POLICY,
      onEvent: ({ outcome, method, reason }) => {
        if (outcome === "refused") notes.add(`agentprint guard refuses ${method ?? "an answer"}: ${reason}`);
      },
    });
    for (const [id, [request, result]] of exchanges(session, answers.clientCapabilities).entries()) {
      guard.fromClient({ jsonrpc: "2.0", id, ...request });
      guard.fromServer({ jsonrpc: "2.0", id, result });
    }
    guard.close();
  }
  return [...notes];
}

/** Returns the requests of a session and their results, with the last reading of each list. */
function exchanges(
  { era, view, protocolVersion, greetings, lists }: SessionAnswers,
  declared: JsonObject,
): readonly (readonly [request: JsonObject, result: JsonObject])[] {
  const capabilities = view === "bare" ? {} : declared;
  const isModern = era === "modern";
  const _meta = { [META.protocolVersion]: protocolVersion, [META.clientCapabilities]: capabilities };
  const greeting = isModern
    ? { method: "server/discover", params: { _meta } }
    : { method: "initialize", params: { protocolVersion, capabilities, clientInfo: { name: "pin", version: "1" } } };
  const last = greetings.at(-1);
  return [
    ...(last ? [[greeting, last] as const] : []),
    ...LISTS.flatMap(({ list, method }) =>
      (lists[list]?.at(-1) ?? []).map((page, index, pages) => {
        const cursor = pages[index - 1]?.["nextCursor"];
        const params = { ...(isModern && { _meta }), ...(typeof cursor === "string" && { cursor }) };
        return [{ method, params }, page] as const;
      }),
    ),
  ];
}
