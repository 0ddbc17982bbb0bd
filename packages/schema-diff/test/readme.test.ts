import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as api from "../src/index.ts";

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");

/** Runs a TypeScript example and returns what it logs, one line each. */
async function run(example: string): Promise<string[]> {
  const lines: string[] = [];
  const log = (...values: unknown[]): void => {
    lines.push(values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join(" "));
  };
  const body = example.replace(/^import (\{.*\}) from .*$/m, "const $1 = api;");
  const AsyncFunction = run.constructor as new (...source: string[]) => (...values: unknown[]) => Promise<void>;
  await new AsyncFunction("api", "console", body)(api, { log });
  return lines;
}

test("the quick start logs what its comments say", async () => {
  const [example] = /(?<=```ts\n)[^`]+/.exec(README) ?? [];
  expect(await run(String(example))).toEqual([
    "breaking",
    '{"value":{"path":"a"},"acceptedBy":"before","rejectedBy":"after"}',
    'required-added /required "encoding" became required',
    'property-added /properties/encoding property "encoding" was added',
  ]);
  for (const line of (await run(String(example))).slice(2)) expect(example).toContain(`// ${line}`);
});

test("the examples in the source log what their comments say", async () => {
  const files = ["compare-schemas.ts", "errors.ts"];
  for (const file of files) {
    const source = readFileSync(new URL(`../src/${file}`, import.meta.url), "utf8");
    const [block] = /(?<= \* ```ts\n)[^`]+/.exec(source) ?? [];
    const example = String(block).replace(/^ \* ?/gm, "");
    const expected = [...example.matchAll(/console\.log.* \/\/ (.*)$/gm)].map(([, comment]) => comment);
    expect(expected.length).toBeGreaterThan(1);
    const plain = (text: string | undefined): string => String(text).replaceAll(/["\s]/g, "");
    expect((await run(example)).map(plain)).toEqual(expected.map(plain));
  }
});
