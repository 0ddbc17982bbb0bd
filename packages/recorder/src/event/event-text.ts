import { canonicalize } from "@agentprint/trail/record";
import type { EventMembers, RecordedEvent } from "./event.ts";
import { quoted } from "./quoted.ts";

/** The members that the recorder adds to an event; texts as JSON texts. */
export interface Stamp {
  readonly agent: string;
  readonly session: string;
  readonly sequence: number;
}

type Unstamped = Partial<EventMembers> & Pick<RecordedEvent, "kind">;

/**
 * The canonical text of an event that was checked. Serves the bench bar "recorder/record": the members are known, and so is
 * their order. `test/event-text.test.ts` compares it with `canonicalize`.
 */
export function eventText(event: Unstamped, { agent, session, sequence }: Stamp): string {
  const { attributes, by, call, code, cut, decision, digests, findings, from, head } = event;
  const { kind, lost, method, of, outcome, reason, server, tool, trace } = event;
  // Joined at once: text that waits in the queue as a tree of its pieces takes several times the memory.
  return [
    `{"agent":${agent}`,
    composed("attributes", attributes),
    scalar("by", by),
    scalar("call", call),
    scalar("code", code),
    scalar("cut", cut),
    scalar("decision", decision),
    digests === undefined ? "" : `,"digests":${digestsText(digests)}`,
    findings?.length === 0 ? ',"findings":[]' : composed("findings", findings),
    scalar("from", from),
    scalar("head", head),
    `,"kind":"${kind}"`,
    scalar("lost", lost),
    scalar("method", method),
    scalar("of", of),
    scalar("outcome", outcome),
    scalar("reason", reason),
    `,"sequence":${sequence}`,
    scalar("server", server),
    `,"session":${session}`,
    scalar("tool", tool),
    scalar("trace", trace),
    "}",
  ].join("");
}

function scalar(name: string, value: number | string | undefined): string {
  return value === undefined ? "" : `,"${name}":${typeof value === "string" ? quoted(value) : value}`;
}

function composed(name: string, value: object | undefined): string {
  return value === undefined ? "" : `,"${name}":${canonicalize(value)}`;
}

function digestsText(digests: Readonly<Record<string, string>>): string {
  let text = "";
  let previous = "";
  for (const name of Object.keys(digests)) {
    if (name < previous) return canonicalize(digests);
    text += `${text === "" ? "" : ","}${quoted(name)}:"${digests[name]}"`;
    previous = name;
  }
  return `{${text}}`;
}
