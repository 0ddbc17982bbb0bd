import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createKeyFolder, createRecorder } from "@agentprint/recorder";
import { SECRET } from "@agentprint/testing/trail/recorded-run";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";

let directory = "";
const trail = (...args: string[]) => runCli(["trail", ...args], { cwd: directory });
const SHOW = ["show", "s1.jsonl", "--event-key", "secret"];
const KEYS = ["--content-keys", "keys"];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "agentprint-erase-"));
  writeFileSync(join(directory, "secret"), Buffer.from(SECRET).toString("hex"));
  const encrypt = createKeyFolder(join(directory, "keys"));
  const recorder = await createRecorder({ store: directory, key: SECRET, agentId: "a", sessionId: "s1", encrypt });
  recorder.record({ kind: "asked", tool: "find", attributes: { question: "Who is Ada?" } });
  recorder.think({ type: "plan", content: "Ask Ada Lovelace." });
  await recorder.close();
});
afterAll(() => rmSync(directory, { recursive: true }));

test("contents are shown with the keys, and never written into a page", async () => {
  const without = await trail(...SHOW);
  expect(without.code).toBe(0);
  expect(without.stdout).toMatch(/asked +find contents encrypted\n.*plan +contents encrypted/);
  const { code, stdout } = await trail(...SHOW, ...KEYS);
  expect(code).toBe(0);
  expect(stdout).toMatch(/asked +find\n.*plan +Ask Ada Lovelace\.\n/);
  expect((await trail(...SHOW, ...KEYS, "--format", "json")).stdout).toContain("Who is Ada?");
  expect((await trail(...SHOW, ...KEYS, "--html", "run.html")).code).toBe(0);
  const [, block = ""] = /class="block">([^ <]*)/.exec(readFileSync(join(directory, "run.html"), "utf8")) ?? [];
  const lines = gunzipSync(Buffer.from(block, "base64")).toString();
  expect(lines).toContain('"content":"encrypted"');
  expect(lines).not.toContain("Ada ");
});

test("erase deletes the key of a task once, and leaves its chain intact", async () => {
  expect(await trail("erase", "keys", "s2")).toMatchObject({ code: 2, stdout: "" });
  expect(await trail("erase", "none", "s1")).toMatchObject({ code: 2, stdout: "" });
  expect(await trail("erase", "secret", "s1")).toMatchObject({ code: 2, stdout: "" });
  const { code, stdout } = await trail("erase", "keys", "s1");
  expect([code, stdout]).toEqual([
    0,
    "Erased the contents of task s1: its key is deleted from keys. Delete it from backups, too. The chain stays intact.\n",
  ]);
  expect((await trail("erase", "keys", "s1")).code).toBe(2);
  const shown = await trail(...SHOW, ...KEYS);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toMatch(/plan +contents erased: their key is deleted\n/);
  expect(shown.stdout).toContain("all intact");
});
