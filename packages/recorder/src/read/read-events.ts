import type { JsonObject } from "@agentprint/canonical-json/json-value";
import type { RecordSource } from "@agentprint/trail/chain";
import type { NoteVerifier } from "@agentprint/trail/checkpoint";
import type { ThoughtRecord } from "@agentprint/trail/record";
import { checkArgument } from "../check-argument.ts";
import type { ContentKeys } from "../encrypt/content-keys.ts";
import { ContentReader, type ContentState } from "../encrypt/open-contents.ts";
import { createMacKey, createSignatureVerifier, type EventVerifier } from "../envelope/event-keys.ts";
import { type OpenedContent, openEnvelope, type TextReason } from "../envelope/open-envelope.ts";
import type { RecordedEvent } from "../event/event.ts";
import { isReadable } from "../sink/is-readable.ts";

/** An entry that a reader finds in a trail; entries have the order of the records. */
export type TrailEntry =
  | {
      readonly is: "event";
      readonly record: ThoughtRecord;
      readonly event: RecordedEvent;
      /** The state of the event's contents, if they were encrypted; `event` includes them if they are `decrypted`. */
      readonly content?: ContentState;
    }
  | { readonly is: "unknown-event"; readonly record: ThoughtRecord; readonly event: JsonObject }
  /** A thought; `why` is the reason why it is not an event. `repeated` means an event with a repeated number. */
  | {
      readonly is: "text";
      readonly record: ThoughtRecord;
      readonly why: TextReason | "repeated";
      /** The state of the thought's text, if it was encrypted; `text` is present if the state is `decrypted`. */
      readonly content?: ContentState;
      readonly text?: string;
    }
  /**
   * Events that no record has and no gap accounts for: someone removed `count` of the session's events before this
   * place.
   */
  | { readonly is: "missing"; readonly session: string; readonly count: number }
  /** The records end, but the session has no end. */
  | { readonly is: "not-ended"; readonly session: string }
  /** A value that is not a record, for example an error from the line reader. */
  | { readonly is: "unreadable"; readonly value: unknown };

/** The keys whose seals are accepted. */
export interface ReadEventsOptions {
  /**
   * The secrets of recorders, and the public keys of recorders that sign, including earlier ones if a key was replaced.
   */
  readonly keys: readonly (EventVerifier | NoteVerifier | Uint8Array)[];
  /** The keys of encrypted contents. Without them, contents stay `encrypted`. */
  readonly contentKeys?: Pick<ContentKeys, "get">;
  /**
   * Returns whether the first records of a task were dropped, so that its session may begin with any number. Default:
   * they were not.
   */
  readonly isDropped?: (taskId: string) => boolean;
}

interface Session {
  next: number;
  ended: boolean;
}

function toVerifier(key: ReadEventsOptions["keys"][number]): EventVerifier {
  if (key instanceof Uint8Array) return createMacKey(key);
  return "member" in key ? key : createSignatureVerifier(key);
}

/**
 * Yields the events and thoughts of a trail. Only a record that one of the given keys sealed is an event. Events are
 * numbered within a session: a missing number is reported, and a record that repeats a number is text. `verifyChain` of
 * `@agentprint/trail` checks whether the records are one unbroken chain.
 *
 * @throws {@link RecorderError} `invalid-key` if a secret is too short or a content key does not have 32 bytes; also
 * whatever `records` and `contentKeys` throw.
 *
 * @example
 * ```ts
 * import { createReadStream } from "node:fs";
 * import { readEvents } from "@agentprint/recorder/events";
 * import { parseThoughtLines } from "@agentprint/trail/chain";
 *
 * for await (const entry of readEvents(parseThoughtLines(createReadStream("trail.jsonl")), { keys: [secret] })) {
 *   if (entry.is === "event") console.log(entry.event.sequence, entry.event.kind);
 * }
 * ```
 */
export async function* readEvents(records: RecordSource, options: ReadEventsOptions): AsyncGenerator<TrailEntry, void> {
  checkArgument("records", records, "iterable");
  checkArgument("options", options, { keys: "array" });
  const { keys, contentKeys, isDropped = () => false } = options;
  const verifiers = keys.map(toVerifier);
  const contents = new ContentReader(contentKeys);
  const sessions = new Map<string, Session>();
  for await (const value of records) {
    if (!isReadable(value)) yield { is: "unreadable", value };
    else for (const entry of readRecord(value, verifiers, { sessions, isDropped })) yield withContents(entry, contents);
  }
  for (const [session, { ended }] of sessions) if (!ended) yield { is: "not-ended", session };
}

/** Returns the entries with their encrypted parts, without waiting if nothing is encrypted. */
function withContents(entry: TrailEntry, contents: ContentReader): Promise<TrailEntry> | TrailEntry {
  const isOpen = entry.is !== "event" && entry.is !== "text";
  const opening = isOpen ? undefined : contents.open(entry.record, entry as OpenedContent);
  return opening === undefined ? entry : opening.then((found) => ({ ...entry, ...found }) as TrailEntry);
}

function* readRecord(
  record: ThoughtRecord,
  verifiers: readonly EventVerifier[],
  { sessions, isDropped }: { readonly sessions: Map<string, Session>; readonly isDropped: (taskId: string) => boolean },
): Generator<TrailEntry, void> {
  const opened = openEnvelope(record, verifiers);
  if (opened.is === "text" || !isNumbered(opened.event)) {
    yield { ...opened, record };
    return;
  }
  const { session: id, sequence, kind } = opened.event;
  // A chain's task is its session.
  const isCut = id === record.task_id && isDropped(id);
  const session = sessions.get(id) ?? { next: isCut ? sequence : 0, ended: false };
  if (sequence < session.next) {
    yield { is: "text", record, why: "repeated" };
    return;
  }
  const isFirstLeft = isCut && !sessions.has(id);
  const count = isFirstLeft ? 0 : sequence - session.next - (opened.is === "event" ? lostBefore(opened.event) : 0);
  if (count > 0) yield { is: "missing", session: id, count };
  session.next = sequence + 1;
  session.ended ||= kind === "session-end";
  sessions.set(id, session);
  yield { ...opened, record };
}

/** Returns whether an event has a number in a session; an event unknown to this version may have none. */
function isNumbered(
  event: JsonObject | RecordedEvent,
): event is Pick<RecordedEvent, "kind" | "sequence" | "session"> & JsonObject {
  return typeof event.session === "string" && Number.isSafeInteger(event.sequence);
}

/** Returns how many preceding numbers of this session a gap accounts for. */
function lostBefore(event: RecordedEvent): number {
  return event.kind === "gap" && event.of === undefined ? event.lost : 0;
}
