import { existsSync, readFileSync } from "node:fs";
import { canonicalizeJson } from "@agentprint/canonical-json";
import { manifestOf } from "@agentprint/testing/manifest/manifests";
import { describe, expect, test } from "vitest";
import {
  type CapabilityManifest,
  canonicalizeManifest,
  diffManifests,
  hashManifest,
  ManifestError,
  type PublishedManifest,
  parseManifest,
  publishManifest,
} from "../src/index.ts";
import { oracleChange } from "./support/oracle-change.ts";

const ORACLE = new URL("../../../../shared/oracle/hashee/", import.meta.url);

interface Case {
  readonly id: string;
  readonly note: string;
  readonly inputJson: string;
  readonly input: {
    readonly before: CapabilityManifest;
    readonly after: CapabilityManifest;
    readonly patches: string[];
  };
  readonly expected: { readonly [field: string]: unknown } & {
    readonly [verdict in "breaking" | "nonBreaking" | "other"]: object[];
  };
}

function cases(file: string): Case[] {
  return existsSync(ORACLE) ? JSON.parse(readFileSync(new URL(file, ORACLE), "utf8")) : [];
}

describe.skipIf(!existsSync(ORACLE))("recorded outcomes (skipped where ../shared is absent)", () => {
  test.each(cases("valid.json").map((c) => [c.id, c.note, c] as const))(
    "%s: %s",
    (_id, _note, { inputJson, expected }) => {
      const parsed = parseManifest(inputJson);
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
      expect(canonicalizeManifest(parsed.manifest)).toBe(expected["canonical"] ?? canonicalizeJson(inputJson));
      expect(hashManifest(parsed.manifest)).toBe(expected["digest"]);
      expect(parsed.warnings.some(({ code }) => code === "MANIFEST_LARGE")).toBe(expected["telemetryWarning"]);
      expect(parseManifest(JSON.parse(inputJson))).toMatchObject({ ok: true, manifest: parsed.manifest });
    },
  );

  test.each(cases("invalid.json").map((c) => [c.id, c.note, c] as const))(
    "%s: %s",
    (_id, _note, { inputJson, expected }) => {
      const parsed = parseManifest(inputJson);
      if (parsed.ok) throw new Error("accepted");
      expect(parsed.issues.length).toBeGreaterThan(0);
      if (expected["code"]) expect(parsed.issues.map(({ code }) => code)).toContain(expected["code"]);
      for (const issue of parsed.issues)
        expect(issue).toMatchObject({ line: expect.any(Number), column: expect.any(Number) });
    },
  );

  test.each(cases("jcsInvalid.json").map((c) => [c.id, c.note, c] as const))("%s: %s", (_id, _note, { inputJson }) => {
    expect(parseManifest(inputJson)).toMatchObject({ ok: false, issues: [{ code: "INVALID_JSON", line: 1 }] });
  });

  test.each(cases("diff.json").map((c) => [c.id, c.note, c] as const))("%s: %s", (_id, _note, { input, expected }) => {
    expect([hashManifest(input.before), hashManifest(input.after)]).toEqual([
      expected["hashBefore"],
      expected["hashAfter"],
    ]);
    const { breaking, nonBreaking, unclassified } = diffManifests(input.before, input.after);
    expect(breaking.map(oracleChange)).toEqual(expect.arrayContaining(expected.breaking));
    expect(breaking).toHaveLength(expected.breaking.length);
    expect(nonBreaking.map(oracleChange)).toEqual(expect.arrayContaining(expected.nonBreaking));
    expect(nonBreaking).toHaveLength(expected.nonBreaking.length);
    expect(unclassified.map(oracleChange)).toEqual(expect.arrayContaining(expected.other));
    expect(unclassified).toHaveLength(expected.other.length);
  });

  test.each(cases("versioning.json").map((c) => [c.id, c.note, c] as const))(
    "%s: %s",
    (_id, _note, { input, expected }) => {
      let last: PublishedManifest | undefined;
      const versions = input.patches.map((patch) => {
        try {
          last = publishManifest(
            last,
            patch === "<invalid>" ? {} : manifestOf({ agent_version: `1.0.${patch.length}` }),
          );
          return last.capability_manifest_version;
        } catch (error) {
          if (error instanceof ManifestError) return null;
          throw error;
        }
      });
      expect(versions).toEqual(expected["versions"]);
    },
  );
});
