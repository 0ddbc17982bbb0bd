import { expect, test } from "vitest";
import { type ConfiguredEntry, mergedEntry } from "../src/index.ts";

const SOURCE = "https://example.com";
const entry = (value: unknown, state: ConfiguredEntry["state"] = "on"): ConfiguredEntry => ({
  name: "files",
  path: ["mcpServers", "files"],
  value,
  state,
});
const first = entry({ args: ["new"], env: { A: "1" }, enabled: true });
const last = entry({ command: "npx", args: ["old", "more"], env: { A: "0", B: "2" }, enabled: false }, "off");

test("the first entry counts as a whole", () => {
  expect(mergedEntry({ by: "entry", source: SOURCE }, [first, last])).toBe(first);
});

test("the members of the first entry count, and lists are replaced", () => {
  const merge = { by: "members", source: SOURCE } as const;
  const value = { command: "npx", args: ["new"], env: { A: "1", B: "2" }, enabled: true };
  expect(mergedEntry(merge, [first, last])).toEqual({ ...first, value, state: "on" });
  expect(mergedEntry(merge, [last, first])).toMatchObject({ state: "off", value: { args: ["old", "more"] } });
  expect(mergedEntry(merge, [entry("text"), last]).value).toBe("text");
  expect(mergedEntry(merge, [first]).value).toBe(first.value);
  expect(mergedEntry(merge, [entry({ source: "extension" }), entry({ a: 1 })]).value).toEqual({
    source: "extension",
    a: 1,
  });
});

test("no member reaches a prototype", () => {
  const hostile = entry(JSON.parse('{"__proto__":{"polluted":true},"constructor":{"a":1}}'));
  const merged = mergedEntry({ by: "members", source: SOURCE }, [hostile, entry({ command: "npx" })]);
  expect(Object.getPrototypeOf(merged.value)).toBe(Object.prototype);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});
