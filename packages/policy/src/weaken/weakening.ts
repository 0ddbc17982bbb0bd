import type { JsonValue } from "@agentprint/canonical-json";

/** One way in which a policy is more permissive than another. */
export interface Weakening {
  /**
   * The RFC 6901 JSON Pointer of the part in which the policies differ. For an ignore, its place in the later policy.
   */
  readonly pointer: string;
  /** One sentence, without a full stop, that names the findings or calls that are decided less strictly. */
  readonly what: string;
  /** The value before; absent when there was none. */
  readonly before?: JsonValue;
  /** The value after; absent when there is none. */
  readonly after?: JsonValue;
}

/** Makes the weakening for a place in the policies. */
export function weakening(pointer: string, what: string, before: unknown, after: unknown): Weakening {
  return {
    pointer,
    what,
    ...(before !== undefined && { before: before as JsonValue }),
    ...(after !== undefined && { after: after as JsonValue }),
  };
}
