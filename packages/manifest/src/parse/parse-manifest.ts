import {
  CanonicalJsonError,
  canonicalizeToBytes,
  type JsonValue,
  locateJson,
  parseJson,
  toPointer,
} from "@agentprint/canonical-json";
import type { CapabilityManifest } from "../capability-manifest.ts";
import type { ManifestIssue, ManifestIssueCode, ManifestWarning, RawIssue } from "../issue.ts";
import { freezeWithDigest } from "../known-digests.ts";
import { MANIFEST_MAX_BYTES, MAX_DEPTH, MAX_LISTED, MAX_POINTER_UNITS, MAX_RAW_BYTES } from "../limits.ts";
import { checkManifest } from "./manifest-schema.ts";
import { warnManifest } from "./warn-manifest.ts";

/** The manifest with its warnings, or the issues that cause it to be refused. */
export type ParsedManifest =
  | { readonly ok: true; readonly manifest: CapabilityManifest; readonly warnings: readonly ManifestWarning[] }
  | { readonly ok: false; readonly issues: readonly ManifestIssue[] };

/**
 * Reads a Capability Manifest and reports all its problems. Accepts any input and never throws.
 *
 * Text and bytes are parsed strictly; text of more than 512 KiB is not parsed at all. A value is copied: the returned
 * manifest is frozen and shares no object with the input. Nothing is fetched, and no schema's pattern is run.
 *
 * @param input - JSON as a string or UTF-8 bytes, or a value that is already parsed
 * @returns the manifest with warnings, or issues with a code, a JSON Pointer, a message and, for text, a line and a
 * column
 *
 * @example
 * ```ts
 * import { parseManifest } from "@agentprint/manifest";
 *
 * const parsed = parseManifest('{\n  "schema_version": "2.0"\n}');
 * if (!parsed.ok) {
 *   const [issue] = parsed.issues;
 *   console.log(issue?.code, issue?.path, issue?.line, issue?.column); // UNSUPPORTED_SCHEMA_VERSION /schema_version 2 21
 * }
 * ```
 */
export function parseManifest(input: unknown): ParsedManifest {
  const text = typeof input === "string" || input instanceof Uint8Array ? input : undefined;
  const read = text === undefined ? readValue(input) : readText(text);
  if ("issue" in read) return { ok: false, issues: [read.issue] };
  const { value, canonical } = read;
  const bytes = canonical.length;
  const drafts = checkManifest(value, bytes > MANIFEST_MAX_BYTES ? [tooLarge(bytes)] : []);
  if (drafts.length > 0) return { ok: false, issues: locate(drafts, text, "TOO_MANY_ISSUES") };
  const manifest = value as unknown as CapabilityManifest;
  freezeWithDigest(manifest, canonical);
  // A warning about the complete manifest has no line and column, because locating them would read a large text again.
  const warnings = warnManifest(manifest, bytes);
  const whole = warnings.filter(({ path }) => path.length === 0);
  const parts = warnings.filter(({ path }) => path.length > 0);
  const more = "TOO_MANY_WARNINGS";
  return { ok: true, manifest, warnings: [...locate(whole, undefined, more), ...locate(parts, text, more)] };
}

type Read = { readonly value: JsonValue; readonly canonical: Uint8Array } | { readonly issue: ManifestIssue };

function readText(text: string | Uint8Array): Read {
  try {
    const value = parseJson(text, { maxBytes: MAX_RAW_BYTES, maxDepth: MAX_DEPTH });
    return { value, canonical: canonicalizeToBytes(value) };
  } catch (error) {
    return { issue: refusal(error) };
  }
}

function readValue(input: unknown): Read {
  try {
    const canonical = canonicalizeToBytes(input, { maxDepth: MAX_DEPTH });
    if (canonical.length > MAX_RAW_BYTES) return { issue: { ...tooLarge(canonical.length), path: "" } };
    return { value: parseJson(canonical), canonical };
  } catch (error) {
    return { issue: refusal(error) };
  }
}

const REFUSALS: Readonly<Record<string, ManifestIssueCode>> = {
  "too-large": "MANIFEST_TOO_LARGE",
  "too-deep": "MANIFEST_TOO_DEEP",
};

function refusal(error: unknown): ManifestIssue {
  if (!(error instanceof CanonicalJsonError)) throw error;
  const { code, path, message, position } = error;
  const place = position && { line: position.line, column: position.column };
  return { code: REFUSALS[code] ?? "INVALID_JSON", path, message, ...place };
}

function tooLarge(bytes: number): RawIssue & { readonly code: "MANIFEST_TOO_LARGE" } {
  const message = `Expected at most ${MANIFEST_MAX_BYTES} bytes of canonical JSON, received ${bytes}`;
  return { code: "MANIFEST_TOO_LARGE", path: [], message };
}

interface Placed<Code> {
  readonly code: Code;
  readonly path: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** Adds pointers to drafts and, if there is text, lines and columns. */
function locate<Code extends string>(
  drafts: readonly RawIssue<Code>[],
  text: string | Uint8Array | undefined,
  more: Code,
): Placed<Code>[] {
  const placed = list(drafts, more);
  if (text === undefined || placed.length === 0) return placed;
  const positions = locateJson(
    text,
    placed.map(({ path }) => path),
  );
  return placed.map((issue, index) => {
    const position = positions[index];
    return position ? { ...issue, line: position.line, column: position.column } : issue;
  });
}

/** Returns the drafts with pointers, up to a list's limits; `more` is the code that reports that there are others. */
function list<Code extends string>(drafts: readonly RawIssue<Code>[], more: Code): Placed<Code>[] {
  const listed: Placed<Code>[] = [];
  let room = MAX_POINTER_UNITS;
  for (const { code, path, message } of drafts) {
    const pointer = toPointer(path);
    room -= pointer.length;
    if (room < 0 || listed.length === MAX_LISTED) {
      listed.push({ code: more, path: "", message: "Expected fewer problems: the list ends here, but there are more" });
      break;
    }
    listed.push({ code, path: pointer, message });
  }
  return listed;
}
