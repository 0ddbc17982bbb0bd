import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outputOf } from "@agentprint/testing/programs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadKeyFile } from "../src/index.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "key-file-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

test("a key is made once, also by many at once, and only its owner can read it", async () => {
  const path = join(folder, "recorder.key");
  const keys = await Promise.all(Array.from({ length: 20 }, () => loadKeyFile(path)));
  expect(new Set(keys.map(String)).size).toBe(1);
  expect(keys[0]).toHaveLength(32);
  expect(await loadKeyFile(path)).toEqual(keys[0]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["recorder.key"]);
});

test.each([
  ["holds something else", "invalid-key", (path: string) => writeFileSync(path, "secret\n")],
  ["is too long", "invalid-key", (path: string) => writeFileSync(path, "0".repeat(4096))],
  ["is a pipe that nobody writes to", "invalid-key", (path: string) => outputOf("mkfifo", [path])],
])("a file that %s is refused", async (name, code, make) => {
  const path = join(folder, name.replaceAll(" ", "-"));
  make(path);
  await expect(loadKeyFile(path)).rejects.toMatchObject({ name: "RecorderError", code });
});

test.each([
  ["cannot be made", "missing/recorder.key", "ENOENT"],
  ["cannot be read", "loop", "ELOOP"],
])("a key that %s is an error", async (_name, file, reason) => {
  const path = join(folder, file);
  if (file === "loop") outputOf("ln", ["-sf", path, path]);
  await expect(loadKeyFile(path)).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining(reason),
  });
});
