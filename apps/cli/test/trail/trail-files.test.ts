import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { createThought, formatThoughtLine } from "@agentprint/trail/chain";
import { createNoteKeys } from "@agentprint/trail/checkpoint";
import { openTrailStore } from "@agentprint/trail-store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkNode } from "../../src/trail/source.ts";
import { type RunResult, runCli } from "../support/run-cli.ts";

const fields = { type: "plan", task_id: "t", agent_id: "a", content: "c" } as const;
const line = formatThoughtLine(createThought(fields, null, { id: "r", now: "now" }));
const utf16 = Buffer.from(line, "utf16le");
const FILES: Readonly<Record<string, string | Uint8Array>> = {
  "trail.jsonl.gz": gzipSync(line),
  "trail.jsonl.br": brotliCompressSync(line),
  "trail.jsonl.z": deflateSync(line),
  "trail.zip": Buffer.concat([Buffer.from("PK\u0003\u0004"), Buffer.alloc(100, 7)]),
  "trail.zst": Buffer.concat([Buffer.of(0x28, 0xb5, 0x2f, 0xfd), Buffer.alloc(100, 7)]),
  "utf-16.jsonl": Buffer.concat([Buffer.of(0xff, 0xfe), utf16]),
  "utf-16-without-mark.jsonl": utf16,
  "utf-16-be.jsonl": Buffer.from(utf16).swap16(),
  "mark.jsonl": `\ufeff${line}`,
  "empty.jsonl": "",
  "line-feed.jsonl": "\n",
  "list.json": `[${line.trim()}]\n`,
  "indented.json": JSON.stringify(JSON.parse(line), null, 2),
  "text.txt": "What the agent thought,\nline by line.\n",
  "picture.png": Buffer.concat([Buffer.of(0x89), Buffer.from("PNG\r\n\u001a\n"), Buffer.alloc(1000, 0xee)]),
  "zeros.bin": Buffer.alloc(5000),
};

let directory = "";
const trail = (...args: string[]): Promise<RunResult> => runCli(["trail", ...args], { cwd: directory });

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "agentprint-files-"));
  const store = await openTrailStore(`file:${join(directory, "trail.db")}`);
  await store.append(fields);
  await store.close();
  mkdirSync(join(directory, "folder"));
  writeFileSync(join(directory, "secret.key"), createNoteKeys("log", new Uint8Array(32)).signerKey);
  writeFileSync(join(directory, "trail.jsonl"), line);
  writeFileSync(join(directory, "altered.jsonl"), `${line}no JSON\n`);
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(directory, name), content);
});
afterAll(() => rmSync(directory, { recursive: true }));

describe("agentprint trail has no verdict on a file of another kind", () => {
  test.each([...Object.keys(FILES), "trail.db", "folder", "nothing"])("%s", async (name) => {
    const { code, stderr, stdout } = await trail("verify", name);
    expect([name, code, stdout + stderr]).toEqual([
      name,
      2,
      expect.not.stringMatching(/tampered|defect of agentprint/),
    ]);
  });

  test("that comes in small pieces or in shares, with a key or for a task", async () => {
    for (const args of [
      ["--workers", "2"],
      ["--task", "t"],
      ["--format", "json"],
    ]) {
      expect((await trail("verify", "trail.db", ...args)).code).toBe(2);
      expect((await trail("verify", "text.txt", ...args)).code).toBe(2);
    }
    expect((await trail("verify", "trail.db")).stderr).toContain("file:trail.db");
  });

  test("but finds an alteration in a trail, and passes an intact one", async () => {
    expect((await trail("verify", "altered.jsonl")).code).toBe(1);
    expect((await trail("verify", "trail.jsonl")).code).toBe(0);
  });

  test.each(["trail.db", "trail.jsonl.gz", "utf-16.jsonl", "text.txt", "folder", "nothing"])(
    "nor imports, nor trusts, nor signs with %s",
    async (name) => {
      const signed = ["--task", "t", "--origin", "o"];
      const { verifierKey } = createNoteKeys("log", new Uint8Array(32));
      for (const args of [
        ["import", "file:made.db", name],
        ["checkpoint", "file:trail.db", ...signed, "--key-file", name],
        ["verify", "trail.jsonl", ...signed, "--key", verifierKey, "--checkpoint", name],
      ]) {
        const { code, stderr } = await trail(...args);
        expect([args, code, stderr]).toEqual([args, 2, expect.not.stringContaining("defect of agentprint")]);
      }
    },
  );

  test("nor on a URL that does not name a store, whose password it does not repeat", async () => {
    for (const url of ["mysql://u:secret@h/x", "POSTGRES://u:secret@h/x", "sqlite:postgres://u:secret@h/x"]) {
      const { code, stdout, stderr } = await trail("verify", url);
      expect([code, stdout + stderr]).toEqual([2, expect.not.stringContaining("secret")]);
    }
  });
});

test("databases need Node 22.16, and one line states it", () => {
  for (const version of ["20.19.0", "18.20.4", "21.7.3", "22.15.0"])
    expect(() => checkNode(version)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/^[^\n]*Node 22\.16[^\n]*$/),
        details: { fix: "run the command with Node 22.16 or later" },
      }),
    );
  for (const version of ["22.16.0", "24.21.0", "100.1.0"]) expect(() => checkNode(version)).not.toThrow();
});
