import { readdirSync, readFileSync } from "node:fs";
import { parseJson } from "@agentprint/canonical-json";
import { describe, expect, test } from "vitest";
import { compareSchemas, SchemaDiffError } from "../src/index.ts";

interface Vector {
  readonly id: string;
  readonly comment: string;
  readonly input: { before: { json: string }; after: { json: string }; direction: "input" | "output" };
  readonly expected: { verdict: string; changes?: string[] } | { error: string };
}

const folder = new URL("../../../fixtures/vectors/schema-diff/", import.meta.url);

for (const file of readdirSync(folder)) {
  const { suite, cases } = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as {
    suite: string;
    cases: Vector[];
  };

  describe(suite, () => {
    test.each(cases)("$id $comment", ({ input, expected }) => {
      const { direction } = input;
      const compare = () => compareSchemas(parseJson(input.before.json), parseJson(input.after.json), { direction });
      if ("error" in expected) {
        expect(compare).toThrow(expect.objectContaining({ code: expected.error }));
        expect(compare).toThrow(SchemaDiffError);
        return;
      }
      const { verdict, changes, counterexample } = compare();
      expect(verdict).toBe(expected.verdict);
      expect(counterexample === undefined).toBe(verdict !== "breaking");
      if (expected.changes) expect(changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual(expected.changes);
    });
  });
}
