import { answersOf } from "@agentprint/testing/lock/offer";
import { anyInvisible, INVISIBLE } from "@agentprint/testing/text/invisible";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLock, formatLock, McpLockError, parseLock } from "../src/index.ts";

const text = formatLock(createLock({ fs: answersOf([{ name: "a", description: "d" }]) }));

function errorOf(input: string | Uint8Array): McpLockError | undefined {
  try {
    parseLock(input);
  } catch (error) {
    if (error instanceof McpLockError) return error;
    throw error;
  }
  return undefined;
}

describe("a lock file that is not strict JSON", () => {
  test.each<[string, string | Uint8Array, string]>([
    ["nothing", "", ""],
    ["half of it", text.slice(0, text.length / 2), "/servers/0"],
    ["merge conflict markers", text.replace('      "tools"', '<<<<<<< HEAD\n      "tools"'), "/servers/0"],
    ["a key twice", '{"lockVersion":2,"lockVersion":2,"servers":[]}', "/lockVersion"],
    [
      "a lone surrogate",
      text.replace('"description": "d"', '"description": "\\ud800"'),
      "/servers/0/tools/0/definition/description",
    ],
    ["bytes that are not UTF-8", Uint8Array.of(0x22, 0xff, 0x22), ""],
    ["a number that no double holds", text.replace('"d"', "1e400"), "/servers/0/tools/0/definition/description"],
    [
      "two thousand levels",
      text.replace('"d"', `${"[".repeat(2000)}${"]".repeat(2000)}`),
      "/servers/0/tools/0/definition/description",
    ],
    ["a million levels", `${"[".repeat(1_000_000)}`, ""],
  ])("%s", (_name, input, path) => {
    const error = errorOf(input);
    expect(error?.code).toBe("invalid-json");
    expect(error?.path.startsWith(path), error?.path.slice(0, 100)).toBe(true);
    expect(error?.line).toBeGreaterThan(0);
    expect(error?.column).toBeGreaterThan(0);
  });

  test("says the line and the column, and the path once", () => {
    const error = errorOf('{\n  "lockVersion": x');
    expect(error).toMatchObject({ code: "invalid-json", line: 2, column: 18 });
    expect(error?.message).toMatch(/^[^(]* at line 2, column 18 \(at \/lockVersion\)$/);
  });

  test("a member named __proto__ of a definition is kept", () => {
    const definition = JSON.parse('{"name":"a","__proto__":{"polluted":true}}');
    const lock = createLock({ s: answersOf([definition]) });
    expect(parseLock(formatLock(lock))).toEqual(lock);
    expect(Object.keys(parseLock(formatLock(lock)).servers[0]?.tools[0]?.definition ?? {})).toContain("__proto__");
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("a lock file for its reviewer", () => {
  const anyText = fc
    .array(fc.oneof(anyInvisible, fc.string({ unit: "grapheme", maxLength: 3 })), { maxLength: 12 })
    .map((parts) => parts.join(""));

  test("holds no raw invisible character of a name or value, and reads back as the same lock", () => {
    fc.assert(
      fc.property(anyText, anyText, (key, value) => {
        const definition = {
          name: value,
          [key]: value,
          description: value,
          inputSchema: { properties: { [key]: {} } },
        };
        const snapshot = answersOf([{ ...definition, name: value }], {
          instructions: value,
          capabilities: { [key]: [value] },
          launch: { type: "stdio", command: value, args: [value], cwd: value, env: [value] },
          prompts: [{ name: value }],
        });
        const lock = createLock({ [key]: snapshot });
        const lockText = formatLock(lock);
        expect(lockText.replaceAll("\n", "")).not.toMatch(INVISIBLE);
        expect(parseLock(lockText)).toEqual(lock);
        expect(JSON.parse(lockText)).toEqual(lock);
      }),
    );
  });

  test("with raw invisible characters is read, with the same digests", () => {
    const lock = createLock({ fs: answersOf([{ name: "a", description: "\u3164 \ufe0f \u{e0100}" }]) });
    const raw = JSON.stringify(lock);
    expect(raw).toMatch(INVISIBLE);
    expect(parseLock(raw)).toEqual(lock);
    expect(formatLock(parseLock(raw))).toBe(formatLock(lock));
  });
});
