import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { CanonicalJsonError, canonicalize, hashCanonical, parseJson } from "@agentprint/canonical-json";
import { describe, expect, test } from "vitest";
import { testNumberSequence } from "./test-number-sequence.ts";

const ORACLE = new URL("../../../../shared/oracle/", import.meta.url);
const present = existsSync(ORACLE);
const skipped = present ? "" : " (skipped: the original implementations' outcomes are not next to this checkout)";

interface Outcome {
  readonly canonical: string | null;
  readonly digest?: string;
  readonly error?: unknown;
}
interface Case {
  readonly id: string;
  readonly input: unknown;
  readonly inputJson?: string;
  readonly expected: Outcome;
  readonly alternates?: { readonly codeUnit?: Outcome };
  readonly status: string;
}

const load = (file: string): Case[] =>
  present ? (JSON.parse(readFileSync(new URL(file, ORACLE), "utf8")) as Case[]) : [];
const { decode } = present
  ? ((await import(pathToFileURL(new URL("tagged.mjs", ORACLE).pathname).href)) as { decode(input: unknown): unknown })
  : { decode: (input: unknown) => input };

/** This package decides differently: it rejects a Map or Set, and a top-level undefined or function. */
const REJECTED = new Set(["khora-021", "khora-025", "khora-026"]);

describe.skipIf(!present)(`outcomes of the original implementations${skipped}`, () => {
  test.each(load("khora/hashPlainObject.json"))("$id", ({ id, input, expected, alternates }) => {
    const value = decode(input);
    const ecmascript = { profile: "ecmascript" } as const;
    if (REJECTED.has(id)) {
      expect(() => canonicalize(value, ecmascript)).toThrow(CanonicalJsonError);
      return;
    }
    const locale = { ...ecmascript, keyOrder: "locale" } as const;
    if (expected.canonical !== null) expect(canonicalize(value, locale)).toBe(expected.canonical);
    expect(hashCanonical(value, locale)).toBe(expected.digest);
    expect(hashCanonical(value, ecmascript)).toBe((alternates?.codeUnit ?? expected).digest);
  });

  test.each(load("zeta/canonicalize.json"))("$id", ({ input, expected }) => {
    const canonical = () => canonicalize(decode(input), { profile: "ecmascript" });
    if (expected.error !== undefined) expect(canonical).toThrow(TypeError);
    else expect(canonical()).toBe(expected.canonical);
  });

  test.each(load("hashee/jcs.json"))("$id", ({ inputJson, expected }) => {
    expect(canonicalize(parseJson(inputJson as string))).toBe(expected.canonical);
    expect(hashCanonical(parseJson(inputJson as string))).toBe(expected.digest);
  });

  test.each(load("hashee/jcsNumber.json"))("$id", ({ input, expected }) => {
    const bits = Buffer.from((input as { ieee754hex: string }).ieee754hex, "hex");
    if (expected.error !== undefined) expect(() => canonicalize(bits.readDoubleBE())).toThrow(CanonicalJsonError);
    else expect(canonicalize(bits.readDoubleBE())).toBe(expected.canonical);
  });

  testNumberSequence(100_000);
});
