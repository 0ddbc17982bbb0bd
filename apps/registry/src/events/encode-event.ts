import type { ListedVersion } from "../store/read.ts";

/** A version as an event, encoded once for all streams that receive it. */
export interface EncodedEvent {
  readonly agentId: string;
  readonly version: number;
  /** The lines of the event without its id, which is the stream's. */
  readonly head: Uint8Array;
  /** All lines, with the id of a stream for only this agent. */
  readonly whole: Uint8Array;
}

/** One message of a stream that is not a version. */
export interface StreamEvent {
  /** `start` has the version of each agent at which a stream begins; after `reset` a client reads again. */
  readonly event: "start" | "reset";
  readonly data: object;
}

/** Stands in a cursor for the number of rollbacks, as no agent has this id. */
export const GENERATION = "*";

/** How far a stream has given the versions of each agent. */
export type Cursor = Map<string, number>;

const encoder = new TextEncoder();

/** A cursor as the id of an event: `demo=3&other=7`. */
function formatCursor(cursor: ReadonlyMap<string, number>): string {
  return new URLSearchParams(
    Object.fromEntries([...cursor].map(([agent, version]) => [agent, String(version)])),
  ).toString();
}

/** A message with the id of its stream. */
export function encodeMessage({ event, data }: StreamEvent, cursor: Cursor): Uint8Array {
  return encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n${idLine(cursor)}`);
}

/** The last lines of an event. */
export function encodeId(cursor: Cursor): Uint8Array {
  return encoder.encode(idLine(cursor));
}

/** A version as `breaking`, or as `version` if it has no breaking change. */
export function encodeVersion(row: ListedVersion): EncodedEvent {
  const { agent_id: agentId, version, hash, breaking_changes, weakens_consent, created_at } = row;
  const data = {
    agent_id: agentId,
    capability_manifest_version: version,
    capability_manifest_hash: hash,
    breaking_changes: JSON.parse(breaking_changes),
    weakens_consent: weakens_consent === 1,
    created_at,
  };
  const event = breaking_changes === "[]" ? "version" : "breaking";
  const whole = encoder.encode(
    `event: ${event}\ndata: ${JSON.stringify(data)}\n${idLine(new Map([[agentId, version]]))}`,
  );
  const end = idLine(new Map([[agentId, version]])).length;
  return { agentId, version, head: whole.subarray(0, whole.length - end), whole };
}

function idLine(cursor: ReadonlyMap<string, number>): string {
  return `id: ${formatCursor(cursor)}\n\n`;
}
