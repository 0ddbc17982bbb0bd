import { existsSync, readFileSync } from "node:fs";
import { parseJson } from "@agentprint/canonical-json";
import { describe, expect, test } from "vitest";
import { rejection } from "./rejection.ts";

interface OracleCase {
  readonly id: string;
  readonly inputJson?: string;
}

const folder = new URL("../../../../../shared/oracle/hashee/", import.meta.url);
const load = (file: string): OracleCase[] => JSON.parse(readFileSync(new URL(file, folder), "utf8"));

describe.skipIf(!existsSync(folder))("acceptance data (skipped where ../shared/oracle is absent)", () => {
  test("rejects texts that are not I-JSON", () => {
    const codes = load("jcsInvalid.json").map(({ id, inputJson = "" }) => [id, rejection(inputJson).code]);
    expect(codes).toEqual([
      ["hashee-jcsInvalid-003", "number-overflow"],
      ["hashee-jcsInvalid-004", "duplicate-key"],
    ]);
  });

  test.each(["jcs.json", "valid.json"])("reads every JSON text of %s as JSON.parse does", (file) => {
    const texts = load(file).flatMap(({ inputJson }) => inputJson ?? []);
    expect(texts.length).toBeGreaterThan(5);
    for (const text of texts) expect(parseJson(text)).toStrictEqual(JSON.parse(text));
  });
});
