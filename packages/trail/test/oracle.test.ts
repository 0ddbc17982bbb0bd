import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { createThought, verifyChain } from "../src/chain/index.ts";
import { canonicalize, computeHash, type ThoughtRecord, ThoughtRecordSchema } from "../src/index.ts";

const oracle = fileURLToPath(new URL("../../../../shared/oracle/", import.meta.url));

interface Case {
  id: string;
  note: string;
  input?: unknown;
  inputJson?: string;
  expected: {
    canonical?: string | null;
    digest?: string;
    success?: boolean;
    valid?: boolean;
    index?: number;
    records?: ThoughtRecord[];
    head?: string;
    error?: { name: string };
  };
}

async function read(operation: string): Promise<[string, unknown, Case["expected"]][]> {
  const { decode } = (await import(pathToFileURL(`${oracle}tagged.mjs`).href)) as { decode(input: unknown): unknown };
  const cases = JSON.parse(readFileSync(`${oracle}zeta/${operation}.json`, "utf8")) as Case[];
  return cases.map(({ id, note, input, inputJson, expected }) => [
    `${id} ${note}`,
    inputJson === undefined ? decode(input) : JSON.parse(inputJson),
    expected,
  ]);
}

describe.skipIf(!existsSync(`${oracle}zeta`))("oracle zeta (skipped where ../shared is absent)", async () => {
  if (!existsSync(`${oracle}zeta`)) return;

  test.each(await read("canonicalize"))("canonicalize %s", (_name, input, expected) => {
    if (expected.error) expect(() => canonicalize(input)).toThrow(TypeError);
    else expect(canonicalize(input)).toBe(expected.canonical);
  });

  test.each(await read("computeHash"))("computeHash %s", (_name, input, expected) => {
    expect(computeHash(input as ThoughtRecord)).toBe(expected.digest);
  });

  test.each(await read("schema"))("ThoughtRecordSchema %s", (_name, input, expected) => {
    expect(ThoughtRecordSchema.safeParse(input).success).toBe(expected.success);
  });

  test.each(await read("verifyChain"))("verifyChain %s", async (_name, input, expected) => {
    const { ok, firstBadIndex } = await verifyChain(input as ThoughtRecord[]);
    expect({ ok, firstBadIndex }).toEqual({ ok: expected.valid, firstBadIndex: expected.index ?? null });
  });

  test.each(await read("chain"))("createThought %s", (_name, input, expected) => {
    const records: ThoughtRecord[] = [];
    for (const { id, timestamp, ...fields } of input as ThoughtRecord[]) {
      records.push(createThought(fields, records.at(-1) ?? null, { id, now: timestamp }));
    }
    expect(records).toEqual(expected.records);
    expect(records.at(-1)?.hash).toBe(expected.head);
  });
});
