import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const MAP = readFileSync(new URL("../src/README.md", import.meta.url), "utf8");

/** Runs the page's code as one function, with its imports as arguments. */
async function runMap(code: string): Promise<string[]> {
  const lines: string[] = [];
  const log = (...values: unknown[]): void => {
    lines.push(values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join(" "));
  };
  const imports = [...code.matchAll(/^import \{ (\w+) \} from "\.\/([^"]+)\.ts";$/gm)];
  const values: unknown[] = [];
  for (const [, name, path] of imports) {
    const url = new URL(`../src/${path}.ts`, import.meta.url).href;
    const module = (await import(url)) as Record<string, unknown>;
    values.push(module[String(name)]);
  }
  const body = code.replace(/^import .*$/gm, "");
  const AsyncFunction = runMap.constructor as new (...source: string[]) => (...values: unknown[]) => Promise<void>;
  await new AsyncFunction("console", ...imports.map(([, name]) => String(name)), body)({ log }, ...values);
  return lines;
}

test("the example that leads through the source does in each step what the page says", async () => {
  const code = [...MAP.matchAll(/```ts\n([^`]+)```/g)].map(([, block]) => block).join("\n");
  const expected = [...code.matchAll(/(?:^|; )\/\/ (.*)$/gm)].map(([, comment]) => comment);
  expect(expected.length).toBeGreaterThan(8);
  expect(await runMap(code)).toEqual(expected);
});

test("the page names only files that there are", () => {
  const root = new URL("../src/", import.meta.url);
  const folders = ["", "compile/", "prove/", "changes/", "causes/", "confirm/", "regex/"];
  for (const [, file] of MAP.matchAll(/`([\w-]+\.ts)`/g)) {
    const found = folders.filter((folder) => {
      try {
        return readFileSync(new URL(`${folder}${file}`, root)).length > 0;
      } catch {
        return false;
      }
    });
    expect([file, found.length]).toEqual([file, 1]);
  }
});
