import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import * as caps from "../src/index.ts";

test("the quick start prints what it says", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, code = ""] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  const said = [...code.matchAll(/^console\.log\(.*\); \/\/ (.+)$/gm)].map(([, value]) => value);
  expect(code.trim().split("\n").length).toBeLessThanOrEqual(20);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    await run(code);
    const { formatWithOptions } = await import("node:util");
    expect(log.mock.calls.map((call) => formatWithOptions({}, ...call))).toEqual(said);
  } finally {
    log.mockRestore();
  }
});

/** Runs a TypeScript module text on the sources of this package. */
async function run(code: string): Promise<void> {
  const { stripTypeScriptTypes } = await import("node:module");
  const { z } = await import("zod");
  const body = stripTypeScriptTypes(code.replaceAll(/^import .*$/gm, ""));
  const AsyncFunction = (async () => {}).constructor as new (
    ...args: string[]
  ) => (...given: unknown[]) => Promise<void>;
  await new AsyncFunction("caps", "z", body)(caps, z);
}
