import { createHash } from "node:crypto";
import { canonicalize, hashCanonical, hashJson, parseJson } from "@agentprint/canonical-json";
import rfc8785 from "canonicalize";
import fastJsonStableStringify from "fast-json-stable-stringify";
import jsonCanon from "json-canon";
import { canonicalize as jsonCanonicalize } from "json-canonicalize";
import { hash as ohash, serialize } from "ohash";
import safeStableStringify from "safe-stable-stringify";
import { chinese, manifest, numbers, record, records, toolDefinition, wide } from "./corpora.ts";
import type { Comparison, Suite } from "./measure.ts";

/** Bars for the digest of a text; with numbers of 17 digits, their conversion dominates. */
const TEXT_BARS: Readonly<Record<string, number>> = {
  "tool definition, 2 KB": 2.1,
  "manifest, 131 KB": 2.2,
  "array of records, 10 MB": 2.3,
  "Chinese and emoji, 29 KB": 2,
  "10k numbers": 1,
  "50k keys in one object": 1.4,
};

/** The records are always complete, because the ratio of a tenth of them is lower. */
const CORPORA: readonly [name: string, make: (part: number) => unknown, textBar: number, hashBar: number][] = [
  ["record, 416 B", () => record(), 2.4, 2.1],
  ["tool definition, 2 KB", () => toolDefinition(), 3.0, 2.8],
  ["manifest, 131 KB", manifest, 2.9, 3.0],
  ["array of records, 10 MB", () => records(), 3.2, 2.8],
  ["Chinese and emoji, 29 KB", chinese, 2.4, 2.2],
  ["10k numbers", numbers, 1.6, 1.6],
  ["50k keys in one object", wide, 1.6, 1.6],
];

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

export const textSuite: Suite = {
  title: "Canonical text (canonicalize@5.1.0 = 1)",
  comparisons: (part = 1) =>
    CORPORA.map(([name, make, bar]) => () => {
      const value = make(part);
      const expected = rfc8785(value);
      return {
        name,
        reference: "canonicalize",
        ours: "agentprint",
        bar,
        isCorrect: (output) => output === expected,
        contenders: {
          agentprint: () => canonicalize(value),
          canonicalize: () => rfc8785(value),
          "json-canon": () => jsonCanon(value),
          "json-canonicalize": () => jsonCanonicalize(value),
          "safe-stable-stringify": () => safeStableStringify(value),
          "fast-json-stable-stringify": () => fastJsonStableStringify(value),
          "ohash serialize": () => serialize(value),
          "native JSON.stringify": () => JSON.stringify(value),
        },
      } satisfies Comparison;
    }),
};

export const hashSuite: Suite = {
  title: "Canonical text and SHA-256 (canonicalize@5.1.0 + createHash = 1)",
  comparisons: (part = 1) =>
    CORPORA.map(([name, make, , bar]) => () => {
      const value = make(part);
      const expected = sha256(rfc8785(value) as string);
      return {
        name,
        reference: "canonicalize",
        ours: "agentprint",
        bar,
        isCorrect: (output) => output === expected,
        contenders: {
          agentprint: () => hashCanonical(value),
          canonicalize: () => sha256(rfc8785(value) as string),
          "json-canon": () => sha256(jsonCanon(value)),
          ohash: () => ohash(value),
        },
      } satisfies Comparison;
    }),
};

export const textHashSuite: Suite = {
  title: "JSON text to SHA-256 of its canonical text (JSON.parse + canonicalize@5.1.0 + createHash = 1)",
  comparisons: (part = 1) =>
    CORPORA.filter(([name]) => name in TEXT_BARS).map(([name, make]) => () => {
      const text = JSON.stringify(make(part));
      const expected = sha256(rfc8785(JSON.parse(text)) as string);
      return {
        name,
        reference: "canonicalize",
        ours: "agentprint",
        bar: TEXT_BARS[name] as number,
        isCorrect: (output) => output === expected,
        contenders: {
          agentprint: () => hashJson(text),
          canonicalize: () => sha256(rfc8785(JSON.parse(text)) as string),
          "json-canon": () => sha256(jsonCanon(JSON.parse(text))),
          "parseJson + hashCanonical": () => hashCanonical(parseJson(text)),
        },
      } satisfies Comparison;
    }),
};

export const parseSuite: Suite = {
  title: "Strict parsing (native JSON.parse = 1)",
  comparisons: () => [
    () => {
      const text = JSON.stringify(manifest());
      return {
        name: "manifest, 131 KB",
        reference: "native JSON.parse",
        ours: "agentprint",
        bar: 0.2,
        isCorrect: (output) => JSON.stringify(output) === text,
        contenders: { agentprint: () => parseJson(text), "native JSON.parse": () => JSON.parse(text) },
      };
    },
  ],
};
