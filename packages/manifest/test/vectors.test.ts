import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  type CapabilityManifest,
  type Change,
  canonicalizeManifest,
  diffManifests,
  hashManifest,
  MANIFEST_WARN_BYTES,
  ManifestError,
  type PublishedManifest,
  parseManifest,
  publishManifest,
} from "../src/index.ts";

type Piece = string | { readonly repeat: string; readonly times: number };

interface Input {
  readonly json?: string;
  readonly rule?: readonly Piece[];
  readonly before?: string;
  readonly after?: string;
  readonly patches?: readonly string[];
}

interface Vector {
  readonly id: string;
  readonly comment: string;
  readonly input: Input;
  readonly expected: object;
  readonly withdrawn?: string;
}

const VECTORS = new URL("../../../fixtures/manifest/", import.meta.url);
const UNREADABLE = ["INVALID_JSON", "MANIFEST_TOO_DEEP", "MANIFEST_TOO_LARGE"];

const OPERATIONS: Readonly<Record<string, (input: Input) => object>> = {
  "manifest/hashManifest": (input) => {
    const manifest = accepted(textOf(input));
    const bytes = Buffer.byteLength(canonicalizeManifest(manifest));
    return { sha256: hashManifest(manifest), bytes, large: bytes >= MANIFEST_WARN_BYTES };
  },
  "manifest/parseManifest": (input) => {
    const parsed = parseManifest(textOf(input));
    const issues = parsed.ok ? [] : parsed.issues;
    if (UNREADABLE.includes(issues[0]?.code ?? "")) accepted(textOf(input));
    return { issues: [...new Set(issues.map(({ code, path }) => `${code} ${path}`.trimEnd()))].sort() };
  },
  "manifest/diffManifests": ({ before = "", after = "" }) => {
    const diff = diffManifests(accepted(before), accepted(after));
    return Object.fromEntries(Object.entries(diff).map(([verdict, changes]) => [verdict, changes.map(pinned)]));
  },
  "manifest/publishManifest": ({ patches = [] }) => {
    let last: PublishedManifest | undefined;
    for (const patch of patches.slice(0, -1)) if (parseManifest(patch).ok) last = publishManifest(last, patch);
    const { capability_manifest_version, capability_manifest_hash, breaking_changes } = publishManifest(
      last,
      patches.at(-1),
    );
    return {
      capability_manifest_version,
      capability_manifest_hash,
      breaking_changes: breaking_changes.map(({ kind }) => kind),
    };
  },
};

function textOf({ json, rule = [] }: Input): string {
  return json ?? rule.map((piece) => (typeof piece === "string" ? piece : piece.repeat.repeat(piece.times))).join("");
}

function accepted(text: string): CapabilityManifest {
  return publishManifest(undefined, text).manifest;
}

function pinned({ before: _, after: __, message: ___, compatibility: ____, ...change }: Change): object {
  return change;
}

function outcomeOf(operation: string, input: Input): object {
  try {
    return OPERATIONS[operation]?.(input) ?? { error: "no such operation" };
  } catch (error) {
    if (error instanceof ManifestError) return { error: error.code };
    throw error;
  }
}

describe.each(readdirSync(VECTORS).filter((file) => file.endsWith(".json")))("%s", (file) => {
  const { operation, cases } = JSON.parse(readFileSync(new URL(file, VECTORS), "utf8")) as {
    readonly operation: string;
    readonly cases: readonly Vector[];
  };

  const current = cases.filter(({ withdrawn }) => withdrawn === undefined);
  test.each(current.map((vector) => [vector.id, vector.comment, vector] as const))("%s %s", (_id, _comment, vector) => {
    expect(outcomeOf(operation, vector.input)).toEqual(vector.expected);
  });
});
