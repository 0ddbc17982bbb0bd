import {
  CanonicalJsonError,
  canonicalizeToBytes,
  diffJson,
  type JsonValue,
  locateJson,
  parseJson,
  sha256Hex,
  type TextPosition,
} from "@agentprint/canonical-json";
import { firstDifference } from "./first-difference.ts";
import type { Source } from "./job.ts";
import { readSource } from "./read-source.ts";
import { type ShownSides, shownSides } from "./shown-value.ts";

/** The profiles, in the order in which they are shown. */
export const PROFILES: readonly ["rfc8785", "ecmascript"] = ["rfc8785", "ecmascript"];

/** A document, and an optional second one to compare it with. */
export interface CanonicalInput {
  readonly first: Source;
  readonly second: Source;
}

/**
 * The result of applying a profile to a document: its bytes and their digest, or the reason why the profile refuses the
 * document.
 */
export type Canonical = { readonly bytes: Uint8Array; readonly digest: string } | { readonly refusal: string };

/** Where two documents first differ. */
export interface Difference extends ShownSides {
  /** How many values differ. */
  readonly changes: number;
  readonly pointer: string;
  /** The places in the given texts. */
  readonly places: readonly [TextPosition | undefined, TextPosition | undefined];
  /** The offset in the canonical bytes of the profile `rfc8785`, if both documents have them. */
  readonly offset?: number;
}

/** The results for one or two documents. */
export interface CanonicalResult {
  readonly documents: readonly (readonly [Canonical, Canonical])[];
  /** `null` if both documents are equal; absent for a single document. */
  readonly difference?: Difference | null;
}

interface Read {
  readonly text: string | Uint8Array;
  readonly value: JsonValue;
}

/** Tolerates values that JSON text may have but RFC 8785 refuses, because the profile `ecmascript` writes them. */
const TOLERATE = { tolerate: (): boolean => true } as const;

/**
 * Returns the canonical text and digest of one or two documents in both profiles, and where two documents first differ.
 *
 * @throws {CanonicalJsonError} as `parseJson` does, when a document is not strict JSON
 */
export async function canonicalJob({ first, second }: CanonicalInput): Promise<CanonicalResult> {
  const before = await read(first);
  const documents = [canonicals(before.value)];
  if (second === "") return { documents };
  const after = await read(second);
  documents.push(canonicals(after.value));
  return { documents, difference: difference(before, after, documents) };
}

async function read(source: Source): Promise<Read> {
  const text = await readSource(source);
  return { text, value: parseJson(text, TOLERATE) };
}

function canonicals(value: JsonValue): readonly [Canonical, Canonical] {
  const of = (profile: (typeof PROFILES)[number]): Canonical => {
    try {
      const bytes = canonicalizeToBytes(value, { profile });
      return { bytes, digest: sha256Hex(bytes) };
    } catch (error) {
      if (!(error instanceof CanonicalJsonError)) throw error;
      return { refusal: error.message };
    }
  };
  return [of(PROFILES[0]), of(PROFILES[1])];
}

function difference(
  before: Read,
  after: Read,
  documents: readonly (readonly [Canonical, Canonical])[],
): Difference | null {
  const changes = diffJson(before.value, after.value);
  const [change] = changes;
  if (change === undefined) return null;
  const [first, second] = documents.map(([canonical]) => ("bytes" in canonical ? canonical.bytes : undefined));
  const offset = first && second && firstDifference(first, second);
  return {
    changes: changes.length,
    pointer: change.pointer,
    ...shownSides(change),
    places: [locate(before, change.pointer), locate(after, change.pointer)],
    ...(offset !== undefined && { offset }),
  };
}

function locate({ text }: Read, pointer: string): TextPosition | undefined {
  return locateJson(text, [pointer], TOLERATE)[0];
}
