import { compareCodeUnits, type JsonObject } from "@agentprint/canonical-json";
import { hashOfSet } from "../tool/definition-hash.ts";
import type { ToolFingerprint } from "../tool/fingerprint-tool.ts";

/** The version of pins that this package reads and writes. */
export const PIN_VERSION = 1;

/** The digests of one tool, and its definition if the pins keep it. */
export interface PinnedTool extends ToolFingerprint {
  readonly name: string;
  /** The definition as received; without it, a comparison cannot say what changed in a layer. */
  readonly definition?: JsonObject;
}

/** Pins of a listing: plain JSON. All tools have a definition, or none has. */
export interface ToolPins {
  readonly pinVersion: typeof PIN_VERSION;
  /** `tdh1:` and the set hash of the listing. */
  readonly digest: string;
  /** Sorted by the UTF-16 code units of `name`. */
  readonly tools: readonly PinnedTool[];
}

/** Returns the pins of tools in any order; their digest is known. */
export function sortedPins(digest: string, tools: readonly PinnedTool[]): ToolPins {
  return { pinVersion: PIN_VERSION, digest, tools: tools.toSorted((a, b) => compareCodeUnits(a.name, b.name)) };
}

/** Returns the digest of pins. */
export function pinsDigest(tools: readonly { readonly name: string; readonly wire: string }[]): string {
  return `tdh1:${hashOfSet(tools.map(({ name, wire }) => ({ name, hash: wire })))}`;
}
