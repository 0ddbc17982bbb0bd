import type { ListedVersion } from "../store/read.ts";

/** A version as an event, encoded once for all streams that receive it. */
export interface EncodedEvent {
  readonly agentId: string;
  readonly version: number;
  /** The lines of the event without its id, which depends on the stream. */
  readonly head: Uint8Array;
  /** All lines, with the id for a stream that follows only this agent. */
  readonly whole: Uint8Array;
}

/** A message in a stream that is not a version. */
export interface StreamEvent {
  /**
   * `start` contains the version of each agent at which the stream begins; after `reset`, a client reads the agent
   * again.
   */
  readonly event: "start" | "reset";
  readonly data: object;
}

/** The cursor key for the number of rollbacks; no agent has this id. */
export const GENERATION = "*";

/** The last version that a stream has sent, by agent. */
export type Cursor = Map<string, number>;

const encoder = new TextEncoder();

/** Returns a cursor as an event's id: `demo=3&other=7`. */
function formatCursor(cursor: ReadonlyMap<string, number>): string {
  return new URLSearchParams(
    Object.fromEntries([...cursor].map(([agent, version]) => [agent, String(version)])),
  ).toString();
}

/** Returns a message with its stream's cursor as the id. */
export function encodeMessage({ event, data }: StreamEvent, cursor: Cursor): Uint8Array {
  return encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n${idLine(cursor)}`);
}

/** Returns the last lines of an event. */
export function encodeId(cursor: Cursor): Uint8Array {
  return encoder.encode(idLine(cursor));
}

/** Returns a version as `breaking`, or as `version` if it has no breaking change. */
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
