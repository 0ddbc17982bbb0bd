import { count } from "@agentprint/findings";
import { ITEM_KINDS } from "@agentprint/mcp";
import { checkArgument } from "../check-argument.ts";
import type { DriftReport, ServerDrift } from "../drift/drift.ts";
import { LIST_UNREAD } from "../drift/failed-lists.ts";
import { eventInWords } from "./event-in-words.ts";
import { itemSubject } from "./finding.ts";

/** Returns the subjects that were compared: the server and each of its items, changed or not. */
export function checkedSubjects({ server, checked }: Pick<ServerDrift, "server" | "checked">): string[] {
  return [server, ...ITEM_KINDS.flatMap((kind) => checked[kind].map((name) => itemSubject(server, kind, name)))];
}

/** The maximum length of the server names in each part of a result, in UTF-16 code units. */
const MAX_NAMED_LENGTH = 2000;

/**
 * Returns a check's result in one line; servers that could not be read come first. Servers whose names do not fit in
 * the line are only counted.
 */
export function summarizeDrift(drift: DriftReport): string {
  checkArgument("drift", drift, { servers: ["object"] });
  const { servers } = drift;
  if (servers.length === 0) return "nothing was checked";
  const of = (outcome: ServerDrift["outcome"]) => servers.filter((server) => server.outcome === outcome);
  const [noted, same] = [true, false].map((isNoted) =>
    of("same").filter(({ drifts }) => drifts.length > 0 === isNoted),
  ) as [ServerDrift[], ServerDrift[]];
  const changed = [
    ...named(of("unknown"), unreadInWords, "could not be read"),
    ...named(of("drift"), (drift) => `${drift.server} drifted: ${eventInWords(drift)}`, "drifted"),
    ...named(noted, (drift) => `${drift.server} has notes only: ${eventInWords(drift)}`, "with notes only"),
  ];
  const rest = same.length > 0 ? [unchanged(same)] : [];
  return [...changed, ...rest].join("; ");
}

/** Returns a part for each server as long as there is room, and a part that counts the remaining servers. */
function named(servers: readonly ServerDrift[], say: (drift: ServerDrift) => string, verb: string): string[] {
  const parts: string[] = [];
  let room = MAX_NAMED_LENGTH;
  for (const server of servers) {
    const part = say(server);
    room -= part.length;
    if (room < 0) break;
    parts.push(part);
  }
  const left = servers.length - parts.length;
  if (left === 0) return parts;
  return [...parts, `${count(left, parts.length > 0 ? "more server" : "server")} ${verb}`];
}

/**
 * Returns the text about a server that could not be read. A server whose lists failed was still compared, as far as its
 * answers could be read.
 */
function unreadInWords(drift: ServerDrift): string {
  const { server, drifts, failure } = drift;
  if (failure?.code !== LIST_UNREAD) return `${server} could not be read`;
  const event = drifts.length > 0 ? `, and drifted: ${eventInWords(drift)}` : "";
  return `${server} could not be read in full${event}`;
}

function unchanged(servers: readonly ServerDrift[]): string {
  const tools = servers.reduce((sum, { checked }) => sum + checked.tool.length, 0);
  const [only] = servers;
  return `${servers.length === 1 && only ? only.server : count(servers.length, "server")} unchanged (${count(tools, "tool")})`;
}
