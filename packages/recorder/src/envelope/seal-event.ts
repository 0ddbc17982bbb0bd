import { canonicalize, type ThoughtRecord, type ThoughtType } from "@agentprint/trail/record";
import { checkRecordedEvent } from "../event/check-event.ts";
import type { RecordedEvent } from "../event/event.ts";
import { EVENT_KINDS } from "../event/event-kinds.ts";
import { quoted } from "../event/quoted.ts";
import type { EventKey } from "./event-keys.ts";

/** The maximum length of a content in UTF-16 units, the same as for a database of `@agentprint/trail-store`. */
export const MAX_CONTENT_LENGTH: number = 2 ** 20;
/** The beginning of an envelope's content. */
export const ENVELOPE_START = '{"agentprint":"event/1","event":{';

/**
 * The fields of a record that a seal covers in addition to the event, so that an envelope cannot be moved to another
 * record.
 */
export type SealedFields = Pick<ThoughtRecord, "id" | "task_id" | "timestamp" | "type">;

/**
 * Returns the text to be sealed: one line that names the format, and the canonical text of the event and of the
 * record's fields.
 */
export function sealMessage(eventText: string, { id, task_id, timestamp, type }: SealedFields): string {
  const place = `"id":${JSON.stringify(id)},"task_id":${JSON.stringify(task_id)}`;
  const fields = `${place},"timestamp":${quoted(timestamp)},"type":${quoted(type)}}`;
  // The message does not end with a line feed, so its signature is never valid for a signed note.
  return `agentprint event/1\n{"event":${eventText},${fields}`;
}

/** Returns the content of a record: the canonical text of the envelope. `eventText` is the event's canonical text. */
export function sealText(eventText: string, fields: SealedFields, { keyId, member, seal }: EventKey): string {
  return `{"agentprint":"event/1","event":${eventText},"key":"${keyId}","${member}":"${seal(sealMessage(eventText, fields))}"}`;
}

/**
 * Returns the type and the content of an event's record.
 *
 * @throws {@link RecorderError} `invalid-event` with the path of the member that is missing, unknown, or malformed.
 *
 * @example
 * ```ts
 * import { randomBytes } from "node:crypto";
 * import { createMacKey, sealEvent } from "@agentprint/recorder/events";
 *
 * const event = { kind: "call", agent: "planner", session: "s1", sequence: 1, call: "c1", tool: "read" } as const;
 * const place = { id: "r1", task_id: "t1", timestamp: "2026-04-01T00:00:00.000Z" };
 * console.log(sealEvent(event, place, createMacKey(randomBytes(32))).type); // plan
 * ```
 */
export function sealEvent(
  event: RecordedEvent,
  place: Omit<SealedFields, "type">,
  key: EventKey,
): { readonly type: ThoughtType; readonly content: string } {
  checkRecordedEvent(event);
  const { type } = EVENT_KINDS[event.kind];
  return { type, content: sealText(canonicalize(event), { ...place, type }, key) };
}
