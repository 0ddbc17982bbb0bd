import type { LockedServer, LockFile } from "@agentprint/mcp-lock";
import { escapeText } from "@agentprint/report";
import type { FoundServer } from "../clients/find-servers.ts";
import { comparedOf } from "../compare-configs/configured-server.ts";
import { isLockedLaunch } from "../compare-configs/same-launch.ts";
import { itemsInWords, sessionsInWords } from "../lock/entry-summary.ts";
import type { Context } from "../run/context.ts";
import { asCalled } from "../terminal/command-line.ts";
import { columnsOf, wrapWords } from "../terminal/wrap-lines.ts";
import type { FailedVisit } from "./pin-found.ts";

/** The outcome of `init` for the servers that were found. */
export interface InitResult {
  readonly found: readonly FoundServer[];
  /** The lock before this run, if there was one. */
  readonly before: LockFile | undefined;
  /** The new entries. */
  readonly entries: readonly LockedServer[];
  readonly failures: readonly FailedVisit[];
}

type State = "pinned" | "already pinned" | "not pinned" | "not chosen";

interface Row {
  readonly state: State;
  readonly name: string;
  readonly says: string;
}

const STATE_WIDTH = "already pinned  ".length;
const MAX_NAME_WIDTH = 30;

/** Writes a line for each server: pinned, or the reason why it is not. */
export function printTable(context: Context, result: InitResult): void {
  const { stdout } = context;
  const { bold, dim, green, red, yellow } = context.colorsOf(stdout);
  const paint = { pinned: green, "already pinned": dim, "not pinned": red, "not chosen": yellow };
  const rows = result.found.map((server) => rowOf(context, server, result));
  const width = Math.min(MAX_NAME_WIDTH, Math.max(0, ...rows.map(({ name }) => name.length)));
  const indent = STATE_WIDTH + width + "  ".length;
  const columns = columnsOf(context, stdout);
  for (const { state, name, says } of rows) {
    const text = wrapWords(asCalled(context, says), columns && Math.max(columns - indent, indent));
    const lines = text.join(`\n${" ".repeat(indent)}`);
    stdout.write(`${paint[state](state.padEnd(STATE_WIDTH))}${bold(name.padEnd(width))}  ${lines}\n`);
  }
}

function rowOf(context: Context, server: FoundServer, { before, entries, failures }: InitResult): Row {
  const name = escapeText(server.name);
  const entry = entries.find((each) => each.name === server.name);
  if (entry) return { state: "pinned", name, says: `${itemsInWords(entry)}, ${sessionsInWords(entry)}` };
  const failure = failures.find((each) => each.name === server.name);
  if (failure) return { state: "not pinned", name, says: reasonOf(context, failure) };
  const pinned = before?.servers.find((each) => each.name === server.name);
  if (pinned === undefined) {
    const isOfProject = server.places.some(({ scope }) => scope === "project");
    const says = isOfProject ? "agentprint check reports it as mcp/not-pinned" : "only you have it";
    return { state: "not chosen", name, says };
  }
  const isSame = isLockedLaunch(pinned, comparedOf(context, server.target));
  const says = isSame ? itemsInWords(pinned) : "another launch is pinned: see agentprint check";
  return { state: "already pinned", name, says };
}

/** Returns the first line of an error that was printed in full above. */
function reasonOf({ hidden }: Pick<Context, "hidden">, { error }: FailedVisit): string {
  return escapeText(hidden.replace(error.message.split("\n")[0] ?? ""));
}
