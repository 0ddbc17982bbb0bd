import { parseJson } from "@agentprint/canonical-json";
import { isObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import { canonicalize } from "@agentprint/trail/record";
import { checkArgument } from "../check-argument.ts";
import { isRecordedEvent, ruleOf } from "../event/check-event.ts";
import type { RecordedEvent } from "../event/event.ts";
import type { EventVerifier, SealMember } from "./event-keys.ts";
import { ENVELOPE_START, MAX_CONTENT_LENGTH, type SealedFields, sealMessage } from "./seal-event.ts";

/**
 * Why a content is text and not an event.
 *
 * - `no-envelope`: it does not begin like an envelope.
 * - `malformed`: it begins like an envelope, but is not an envelope's canonical text, or has no seal.
 * - `unknown-key`: none of the given keys has the envelope's key id.
 * - `wrong-seal`: the key did not seal this event in this record.
 */
export type TextReason = "malformed" | "no-envelope" | "unknown-key" | "wrong-seal";

/** The content of a record. */
export type OpenedContent =
  | { readonly is: "event"; readonly event: RecordedEvent }
  /** A sealed event, but of a kind or with a member that this version does not know. */
  | { readonly is: "unknown-event"; readonly event: JsonObject }
  | { readonly is: "text"; readonly why: TextReason };

/** The part of a record that concerns its content and its seal. */
export type EnvelopeRecord = SealedFields & { readonly content: string };

interface Envelope {
  readonly event: JsonObject;
  readonly text: string;
  readonly key: string;
  readonly member: SealMember;
  readonly seal: string;
}

/**
 * Returns the event in a record, if one of `keys` sealed it in exactly this record; otherwise its content is text,
 * whatever it looks like. The record's chain is not checked; `verifyChain` of `@agentprint/trail` does that.
 *
 * @example
 * ```ts
 * import { openEnvelope } from "@agentprint/recorder/events";
 *
 * const record = { id: "r1", type: "plan", task_id: "t1", timestamp: "2026-04-01", content: "Call the tool." } as const;
 * console.log(openEnvelope(record, [])); // { is: "text", why: "no-envelope" }
 * ```
 */
export function openEnvelope(record: EnvelopeRecord, keys: readonly EventVerifier[]): OpenedContent {
  checkArgument("record", record, { content: "string" });
  checkArgument("keys", keys, "array");
  const { content } = record;
  if (!content.startsWith(ENVELOPE_START)) return { is: "text", why: "no-envelope" };
  const envelope = content.length <= MAX_CONTENT_LENGTH ? parseEnvelope(content) : undefined;
  if (envelope === undefined) return { is: "text", why: "malformed" };
  const { event, text, key, member, seal } = envelope;
  const candidates = keys.filter((candidate) => candidate.keyId === key && candidate.member === member);
  if (candidates.length === 0) return { is: "text", why: "unknown-key" };
  const message = sealMessage(text, record);
  if (!candidates.some(({ verify }) => verify(message, seal))) return { is: "text", why: "wrong-seal" };
  return isRecordedEvent(event) && ruleOf(event.kind)?.type === record.type
    ? { is: "event", event }
    : { is: "unknown-event", event };
}

/** Returns the envelope whose canonical text is `content`; such a text has only one reading. */
function parseEnvelope(content: string): Envelope | undefined {
  const value = parse(content);
  if (!isObject(value)) return undefined;
  const { event, key, mac, signature } = value;
  const member = mac === undefined ? "signature" : "mac";
  const seal = mac ?? signature;
  if (!isObject(event) || typeof key !== "string" || typeof seal !== "string") return undefined;
  const text = canonicalize(event);
  const canonical = canonicalize({ agentprint: "event/1", key, [member]: seal });
  // The event comes second, after the member that every envelope begins with.
  const expected = canonical.replace(",", () => `,"event":${text},`);
  return content === expected ? { event: event as JsonObject, text, key, member, seal } : undefined;
}

const READ = { tolerate: () => true, maxDepth: 1_000_000, maxBytes: 64 * 1024 * 1024 } as const;

/**
 * Parses a text as JSON. A name with a lone surrogate is not canonical JSON, but an event may contain one. In this
 * case, the engine parses the text, and a comparison with the rewritten text ensures that there is only one reading.
 */
function parse(content: string): unknown {
  try {
    return parseJson(content, READ);
  } catch {
    return parseByEngine(content);
  }
}

function parseByEngine(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
