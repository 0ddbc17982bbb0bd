import { canonicalize } from "@agentprint/trail/record";
import type { EventMembers, RecordedEvent } from "./event.ts";
import { quoted } from "./quoted.ts";

type Unstamped = Partial<EventMembers> & Pick<RecordedEvent, "kind">;

/**
 * The texts of the members that the next event of the same kind usually shares: those before the member `sequence`, and
 * those after it.
 */
interface SteadyTexts {
  readonly of: Unstamped;
  readonly before: string;
  readonly behind: string;
}

/**
 * Writes the canonical texts of checked events. Needed for the bench bar "recorder/record": the members and their order
 * are known, and most members are the same as in the last event of the same kind. `test/event-text.test.ts` compares
 * the result with `canonicalize`.
 */
export class EventTexts {
  readonly #agent: string;
  readonly #session: string;
  readonly #last = new Map<string, SteadyTexts>();

  constructor(agent: string, session: string) {
    this.#agent = `{"agent":${JSON.stringify(agent)}`;
    this.#session = `,"session":${JSON.stringify(session)}`;
  }

  /** Returns the text of an event, to which the recorder's agent and session and this number are added. */
  write(event: Unstamped, sequence: number): string {
    const { attributes, by, call, code, cut, decision, digests, findings, kind } = event;
    const last = this.#last.get(kind);
    const { before, behind } = last !== undefined && isAlike(event, last.of) ? last : this.#writeSteady(event);
    // The text is joined immediately, because a text that waits in the queue as a tree of its pieces takes several
    // times as much memory.
    return [
      this.#agent,
      composed("attributes", attributes),
      scalar("by", by),
      scalar("call", call),
      scalar("code", code),
      scalar("cut", cut),
      scalar("decision", decision),
      digests === undefined ? "" : `,"digests":${digestsText(digests)}`,
      findings?.length === 0 ? ',"findings":[]' : composed("findings", findings),
      before,
      sequence,
      behind,
    ].join("");
  }

  #writeSteady(event: Unstamped): SteadyTexts {
    const { from, head, kind, lost, method, of, outcome, reason, server, tool, trace } = event;
    const before = [
      scalar("from", from),
      scalar("head", head),
      `,"kind":"${kind}"`,
      scalar("lost", lost),
      scalar("method", method),
      scalar("of", of),
      scalar("outcome", outcome),
      scalar("reason", reason),
      ',"sequence":',
    ].join("");
    const behind = [scalar("server", server), this.#session, scalar("tool", tool), scalar("trace", trace), "}"].join(
      "",
    );
    const texts = { of: { from, head, kind, lost, method, of, outcome, reason, server, tool, trace }, before, behind };
    this.#last.set(kind, texts as SteadyTexts);
    return texts as SteadyTexts;
  }
}

function isAlike(one: Unstamped, other: Unstamped): boolean {
  return (
    one.from === other.from &&
    one.head === other.head &&
    one.lost === other.lost &&
    one.method === other.method &&
    one.of === other.of &&
    one.outcome === other.outcome &&
    one.reason === other.reason &&
    one.server === other.server &&
    one.tool === other.tool &&
    one.trace === other.trace
  );
}

function scalar(name: string, value: number | string | undefined): string {
  return value === undefined ? "" : `,"${name}":${typeof value === "string" ? quoted(value) : value}`;
}

function composed(name: string, value: object | undefined): string {
  return value === undefined ? "" : `,"${name}":${canonicalize(value)}`;
}

function digestsText(digests: Readonly<Record<string, string>>): string {
  const names = Object.keys(digests);
  if (names.some((name, index) => index > 0 && name < (names[index - 1] as string))) names.sort();
  return `{${names.map((name) => `${quoted(name)}:"${digests[name]}"`).join(",")}}`;
}
