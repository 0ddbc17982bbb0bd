import type { JsonObject } from "@agentprint/canonical-json/json-value";
import { sliceWithoutSplittingSurrogates } from "@agentprint/canonical-json/text";
import { count } from "@agentprint/findings";
import type { ContentState, RecordedEvent, TrailEntry } from "@agentprint/recorder/events";

/** A row's kind, by which readers filter rows. */
export type RowSort = "anchor" | "call" | "event" | "gap" | "link" | "refused" | "text" | "thought";

/** A row's tone: `good` and `bad` are verdicts on the run, `odd` deserves a look, and `quiet` can be skipped. */
export type Tone = "bad" | "good" | "odd" | "plain" | "quiet";

/** One line of a timeline, with unescaped texts from the records, which the display must escape. */
export interface Row {
  readonly sort: RowSort;
  readonly tone: Tone;
  /** The record's timestamp; empty if the row has no record. */
  readonly time: string;
  /** The record's task; empty if no task is known. */
  readonly task: string;
  /** One word: the event's kind or the thought's type. */
  readonly label: string;
  readonly what: string;
  /** The reasons and the outcome, as distinct nonempty texts. */
  readonly why: readonly string[];
  /** The places in the input, from 0, of the row's records. */
  readonly records: readonly number[];
}

/** The maximum number of UTF-16 units of a thought that a row shows. */
const MAX_THOUGHT = 300;
/** The number of a digest's digits that a row shows. */
const DIGEST_DIGITS = 12;

const WHY_TEXT = {
  malformed: "looks like an event, but is not one",
  "no-envelope": undefined,
  repeated: "an event with a repeated number",
  "unknown-key": "looks like an event from a recorder whose key was not given",
  "wrong-seal": "looks like an event, but the key did not seal it here",
} as const;

/** The words for each state of encrypted contents. */
const CONTENTS: Readonly<Record<ContentState, string | undefined>> = {
  altered: "contents altered",
  decrypted: undefined,
  encrypted: "contents encrypted",
  erased: "contents erased: their key is deleted",
  "wrong-key": "contents encrypted with another key",
};

type RowTexts = Pick<Row, "label" | "sort" | "tone" | "what" | "why">;

/** The kinds of events whose rows have a sort other than `event`. */
const SORTS: Readonly<Record<string, RowSort>> = {
  call: "call",
  gap: "gap",
  link: "link",
  "model-call": "call",
  "model-result": "call",
  refused: "refused",
  result: "call",
};

const QUIET: readonly string[] = ["session-end", "session-start"];

/** Returns the row for a reader's entry; `place` is the place of the entry's record in the input. */
export function rowOf(entry: TrailEntry, place: number): Row {
  switch (entry.is) {
    case "event":
      return { ...withContents(eventRow(entry.event), entry.content), ...placed(entry, place) };
    case "unknown-event": {
      const what = textIn(entry.event, "tool") || textIn(entry.event, "method");
      const why = ["sealed, but its kind is unknown to this version"];
      return {
        sort: "event",
        tone: "odd",
        label: textIn(entry.event, "kind") || "event",
        what,
        why,
        ...placed(entry, place),
      };
    }
    case "text":
      return { ...withContents(textRow(entry), entry.content), ...placed(entry, place) };
    case "missing": {
      const what = `${count(entry.count, "event")} of session ${entry.session}`;
      const why = ["no gap accounts for that"];
      return { sort: "gap", tone: "bad", time: "", task: "", label: "missing", what, why, records: [] };
    }
    case "not-ended": {
      const what = `session ${entry.session}`;
      return { sort: "gap", tone: "odd", time: "", task: "", label: "not ended", what, why: [], records: [] };
    }
    case "unreadable": {
      const why = entry.value instanceof Error ? [entry.value.message] : [];
      const what = "a line that is not a record";
      return { sort: "gap", tone: "bad", time: "", task: "", label: "unreadable", what, why, records: [place] };
    }
  }
}

/** Returns a row marked as altered. */
export function asAltered(row: Row): Row {
  return { ...row, tone: "bad", why: ["the record has a problem", ...row.why] };
}

function placed(
  { record: { timestamp, task_id } }: Extract<TrailEntry, { is: "event" | "text" | "unknown-event" }>,
  place: number,
): Pick<Row, "records" | "task" | "time"> {
  return { time: timestamp, task: task_id, records: [place] };
}

function withContents(row: RowTexts, content: ContentState | undefined): RowTexts {
  if (content === undefined) return row;
  return { ...row, tone: content === "altered" ? "bad" : row.tone, why: told([...row.why, CONTENTS[content]]) };
}

function textRow({ record, why, content, text }: Extract<TrailEntry, { is: "text" }>): RowTexts {
  const isThought = why === "no-envelope";
  return {
    sort: isThought ? "thought" : "text",
    tone: isThought ? "plain" : why === "unknown-key" ? "odd" : "bad",
    label: isThought ? record.type : "text",
    what: sliceWithoutSplittingSurrogates(content === undefined ? record.content : (text ?? ""), 0, MAX_THOUGHT),
    why: told([WHY_TEXT[why]]),
  };
}

function eventRow(event: RecordedEvent): RowTexts {
  const { kind } = event;
  return {
    sort: SORTS[kind] ?? "event",
    tone: toneOf(event),
    label: kind,
    what: subjectOf(event),
    why: reasonsOf(event),
  };
}

function toneOf({ kind, outcome, lost = 0 }: RecordedEvent): Tone {
  if (kind === "refused" || outcome === "refused") return "bad";
  if (kind === "gap" || kind === "fault" || outcome === "error" || lost > 0) return "odd";
  return QUIET.includes(kind) ? "quiet" : "plain";
}

/** Returns an event's subject: `files › read_file`, or the method, or a link's digests. */
function subjectOf({ kind, server, tool, method, of, digests, attributes }: RecordedEvent): string {
  const model = attributes?.["gen_ai.request.model"];
  const parts = [server, tool ?? method ?? (typeof model === "string" ? model : undefined), of && `session ${of}`];
  const said = parts.filter((part) => part !== undefined && part !== "");
  if (said.length > 0 || kind !== "link") return said.join(" › ");
  return Object.entries(digests ?? {})
    .map(([name, digest]) => `${name} ${digest.slice(0, DIGEST_DIGITS)}`)
    .join(", ");
}

function reasonsOf({ outcome, decision, by, findings = [], code, reason, lost }: RecordedEvent): string[] {
  return told([
    outcome,
    decision,
    by && `by ${by}`,
    ...findings,
    code === undefined ? undefined : `code ${code}`,
    lost === undefined || lost === 0 ? undefined : `${count(lost, "event")} lost`,
    reason,
  ]);
}

/** Returns the distinct nonempty texts. */
export function told(parts: readonly (string | undefined)[]): string[] {
  return [...new Set(parts)].filter((part): part is string => part !== undefined && part !== "");
}

function textIn(event: JsonObject, name: string): string {
  const value = Object.hasOwn(event, name) ? event[name] : undefined;
  return typeof value === "string" ? value : "";
}
