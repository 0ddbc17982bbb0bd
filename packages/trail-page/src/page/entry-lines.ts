import { isObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import type { ContentState, RecordedEvent, TrailEntry } from "@agentprint/recorder/events";
import { TrailError, type TrailErrorCode } from "@agentprint/trail/chain";

/** An entry in the form in which a page stores it as a line. */
type Kept =
  | Exclude<TrailEntry, { is: "event" | "unknown-event" | "unreadable" }>
  /** The event is only in the record's content. */
  | Pick<Extract<TrailEntry, { is: "event" }>, "content" | "is" | "record">
  | Pick<Extract<TrailEntry, { is: "unknown-event" }>, "is" | "record">
  | { readonly is: "unreadable"; readonly value: unknown }
  | { readonly is: "unreadable"; readonly error: KeptError };

interface KeptError {
  readonly code: TrailErrorCode;
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
}

/** Returns a line of JSON from which {@link parseEntry} restores the entry. */
export function formatEntry(entry: TrailEntry): string {
  return JSON.stringify(keep(entry));
}

function keep(entry: TrailEntry): Kept {
  switch (entry.is) {
    case "event":
      return { is: "event", record: entry.record, ...closed(entry) };
    case "text":
      return { is: "text", record: entry.record, why: entry.why, ...closed(entry) };
    case "unknown-event":
      return { is: "unknown-event", record: entry.record };
    case "unreadable": {
      if (!(entry.value instanceof TrailError)) return entry;
      const { code, message, path, line, column } = entry.value;
      return { is: "unreadable", error: JSON.parse(JSON.stringify({ code, message, path, line, column })) };
    }
    default:
      return entry;
  }
}

/** Replaces `decrypted` with `encrypted`, because a page's decrypted content would outlive the key. */
function closed({ content }: { readonly content?: ContentState }): { readonly content?: ContentState } {
  return content === undefined ? {} : { content: content === "decrypted" ? "encrypted" : content };
}

/** Returns an entry's record, or the value that `parseThoughtLines` returned instead. */
export function recordOf(entry: TrailEntry): unknown {
  if (entry.is === "unreadable") return entry.value;
  return "record" in entry ? entry.record : undefined;
}

/**
 * Returns the entry from which a line was made.
 *
 * @throws {SyntaxError} when the line is not JSON, which means that someone changed the page
 */
export function parseEntry(line: string): TrailEntry {
  const kept = JSON.parse(line) as Kept;
  if (kept.is === "unreadable" && "error" in kept) {
    const { code, message, ...place } = kept.error;
    return { is: "unreadable", value: new TrailError(code, message, place) };
  }
  if (kept.is === "event" || kept.is === "unknown-event") {
    const event = eventIn(kept.record.content);
    if (event === undefined) return { is: "text", record: kept.record, why: "malformed" };
    return kept.is === "event"
      ? { ...kept, event: event as unknown as RecordedEvent }
      : { is: "unknown-event", record: kept.record, event };
  }
  return kept as TrailEntry;
}

function eventIn(content: string): JsonObject | undefined {
  try {
    const envelope: unknown = JSON.parse(content);
    const event = isObject(envelope) ? envelope["event"] : undefined;
    return isObject(event) ? (event as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
