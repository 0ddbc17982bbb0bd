import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { JudgedReport } from "@agentprint/findings";
import { createMacKey, readEvents, type TrailEntry } from "@agentprint/recorder/events";
import { chainOf, HOSTILE_TEXTS, recordRun, SECRET } from "@agentprint/testing/trail/recorded-run";
import { parseThoughtLines, TasksVerifier, verifyTasks } from "@agentprint/trail/chain";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verdictOn } from "../src/page/browser/verdict.ts";
import { EntryBlocks } from "../src/page/entry-blocks.ts";
import { formatEntry, parseEntry, recordOf } from "../src/page/entry-lines.ts";
import { packValues } from "../src/page/pack-values.ts";
import { makePage } from "../src/page/page.ts";
import { unpackValues } from "../src/page/unpack-values.ts";
import { Timeline } from "../src/timeline.ts";

let directory = "";
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "agentprint-page-"));
  await recordRun(directory, "s1");
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Returns the page for a file of records, as a program that reads the records once creates it. */
async function pageOf(file: string, report = REPORT): Promise<string> {
  const verifier = new TasksVerifier();
  const timeline = new Timeline();
  const blocks = new EntryBlocks();
  const records = parseThoughtLines([readFileSync(join(directory, file))]);
  async function* pushing(): AsyncGenerator<unknown, void> {
    for await (const record of records) {
      verifier.push(record);
      yield record;
    }
  }
  for await (const entry of readEvents(pushing(), { keys: [createMacKey(SECRET)] })) {
    timeline.add(entry);
    await blocks.add(entry);
  }
  timeline.end();
  const run = { timeline, anchors: [], chains: verifier.finish() };
  return makePage({ name: file, run, report, blocks: await blocks.finish() });
}

const FINDING = {
  rule: "trail/altered",
  level: "error",
  place: { subject: "task <s1>" },
  message: "it was altered",
} as const;
const REPORT: JudgedReport = {
  title: "Trail",
  command: "test",
  outcome: "drift",
  summary: "1 & 2",
  findings: [FINDING],
  rules: {},
  checked: [],
  data: {},
};

/**
 * Returns the decompressed texts of a page's elements that match a pattern, with their digests and signatures restored.
 */
const partsOf = (page: string, pattern: RegExp): string[] =>
  [...page.matchAll(pattern)].map(([, part = "", values = ""]) => {
    const text = gunzipSync(Buffer.from(part, "base64")).toString();
    return unpackValues({ text, bytes: Uint8Array.from(Buffer.from(values, "base64")) });
  });
const BLOCKS = /<script type="text\/plain" class="block">([A-Za-z0-9+/=]*) ([A-Za-z0-9+/=]*)<\/script>/g;

test("the page allows its own script and style, and nothing else", async () => {
  const page = await pageOf("s1.jsonl");
  const hashOf = (pattern: RegExp): string =>
    createHash("sha256")
      .update(pattern.exec(page)?.[1] ?? "")
      .digest("base64");
  const script = hashOf(/<script type="module">(.*?)<\/script>/s);
  const style = hashOf(/<style>(.*?)<\/style>/s);
  expect(page).toContain(
    `content="default-src 'none'; script-src 'sha256-${script}'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"`,
  );
  expect(page.match(/<script/g)).toHaveLength(3);
  expect(page).not.toMatch(/<!--|<link|<img|<iframe|<[^>]*\s(?:on\w+|style|src)=|https?:\/\//);
  expect(page).toContain("<bdi>13 records in 1 task</bdi>");
  expect(page).toContain("<li><bdi>task &#60;s1&#62;: it was altered</bdi></li>");
  expect(page).toContain("<bdi>1 &#38; 2</bdi>");
  expect(await pageOf("s1.jsonl")).toBe(page);
});

test("the page has every record, and no part of a hostile text outside of the compressed data", async () => {
  const chains = HOSTILE_TEXTS.map((content) => chainOf(content || "t", [content]));
  writeFileSync(join(directory, "hostile.jsonl"), chains.join(""));
  const page = await pageOf("hostile.jsonl");
  expect(page).not.toMatch(/[^\P{C}\n]|<\/script><script>|<!--|<img/u);
  const entries = partsOf(page, BLOCKS).join("\n").split("\n").map(parseEntry);
  expect(entries.map((entry) => entry.is === "text" && entry.record.content)).toEqual(HOSTILE_TEXTS);
});

test("digests and signatures are taken out of lines and put back, with any other content", () => {
  const [digest, other] = ["ab".repeat(32), "0123456789abcdef".repeat(4)];
  const signature = `${"Ab+/".repeat(21)}AQ==`;
  const lines = [digest, other, digest, signature, signature, `${digest}${other}f`].join('"\n{"');
  const packed = packValues(lines);
  expect(packed.text).toBe(["\u0001", "\u0001", "\u00032;", "\u0002", "\u00031;", "\u00033;\u00035;f"].join('"\n{"'));
  expect(packed.bytes).toHaveLength(32 + 32 + 64);
  expect(unpackValues(packed)).toBe(lines);
  const pieces = fc.constantFrom(
    digest,
    other,
    signature,
    `${"Ab+/".repeat(21)}AR==`,
    digest.toUpperCase(),
    "a",
    "=",
    '"',
    "\n",
  );
  const text = fc.oneof(
    pieces,
    fc.constantFrom(...HOSTILE_TEXTS).map((hostile) => JSON.stringify(hostile)),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), (texts) => {
      const all = texts.join("");
      expect(unpackValues(packValues(all))).toBe(all);
    }),
  );
  for (const bytes of [packed.bytes.slice(1), new Uint8Array([...packed.bytes, 0])]) {
    expect(() => unpackValues({ ...packed, bytes })).toThrow(RangeError);
  }
});

async function entriesIn(text: string): Promise<TrailEntry[]> {
  const entries: TrailEntry[] = [];
  for await (const entry of readEvents(parseThoughtLines([Buffer.from(text)]), { keys: [SECRET] })) entries.push(entry);
  return entries;
}

test("an entry is the same after it was in a page, also where it is no record", async () => {
  const lines = readFileSync(join(directory, "s1.jsonl"), "utf8").split("\n");
  const text = [...lines.slice(0, 3), "{", '{"__proto__":1}', ...lines.slice(5, -2)].join("\n");
  const entries = await entriesIn(text);
  const again = entries.map((entry) => parseEntry(formatEntry(entry)));
  // The page does not contain an error's cause.
  expect(again.map(formatEntry)).toEqual(entries.map(formatEntry));
  expect(again.map(({ is }) => is)).toEqual(entries.map(({ is }) => is));
  const report = await verifyTasks(again.map(recordOf).filter((record) => record !== undefined));
  expect(report).toEqual(await verifyTasks(parseThoughtLines([Buffer.from(text)])));
  expect(parseEntry('{"is":"event","record":{"content":"{"}}')).toMatchObject({ is: "text", why: "malformed" });
  expect(parseEntry('{"is":"event","record":{"content":"1"}}')).toMatchObject({ is: "text", why: "malformed" });
});

test("the page finds an alteration in itself", async () => {
  const page = await pageOf("s1.jsonl");
  const [report = ""] = partsOf(page, /<script type="text\/plain" id="report">([A-Za-z0-9+/=]*)<\/script>/g);
  const verdict = async (change: (block: string) => string) => {
    const [block = ""] = partsOf(page, BLOCKS);
    const records = change(block).split("\n").map(parseEntry).map(recordOf);
    return verdictOn(await verifyTasks(records), JSON.parse(report));
  };
  expect(await verdict((block) => block)).toMatchObject({ tone: "good" });
  const altered = { tone: "bad", text: expect.stringContaining("changed after the command wrote it: 1 problem") };
  expect(await verdict((block) => block.replace("delete it", "keep it"))).toMatchObject(altered);
  const cut = await verdict((block) => block.split("\n").slice(0, -1).join("\n"));
  expect(cut).toMatchObject({ tone: "bad", text: expect.stringContaining("changed after the command wrote it") });
});

test("a page has no decrypted content, and any value in place of a record", async () => {
  const [entry] = await entriesIn(chainOf("t", ["one"]));
  if (entry?.is !== "text") throw new Error("expected a thought");
  const kept = (content: "altered" | "decrypted"): TrailEntry =>
    parseEntry(formatEntry({ ...entry, content, text: "two" }));
  expect(kept("decrypted")).toEqual({ ...entry, content: "encrypted" });
  expect(kept("altered")).toEqual({ ...entry, content: "altered" });
  const event = { ...entry, record: { ...entry.record, content: '{"event":{"kind":"later"}}' } };
  const unknown: TrailEntry = { is: "unknown-event", record: event.record, event: { kind: "later" } };
  expect(parseEntry(formatEntry(unknown))).toEqual(unknown);
  for (const value of [1, null, ["x"]]) {
    expect(parseEntry(formatEntry({ is: "unreadable", value }))).toEqual({ is: "unreadable", value });
  }
  const missing: TrailEntry = { is: "missing", session: "s", count: 2 };
  expect(parseEntry(formatEntry(missing))).toEqual(missing);
  expect(recordOf(missing)).toBeUndefined();
});

test("the page of a run without records has no block and no time", async () => {
  writeFileSync(join(directory, "nothing.jsonl"), "");
  const page = await pageOf("nothing.jsonl", { ...REPORT, outcome: "unknown", findings: [] });
  expect(page).not.toContain('class="block"');
  expect(page).toContain('<p class="dim"><bdi>0 records in 0 tasks</bdi></p>');
  expect(page).toContain('<span class="badge odd">!</span>');
  expect(page).not.toContain("<ul><li>");
});

test("the page of a thousand records has a second block for the next one", async () => {
  writeFileSync(join(directory, "many.jsonl"), chainOf("t", Array.from({ length: 1001 }, String)));
  expect(partsOf(await pageOf("many.jsonl"), BLOCKS).map((block) => block.split("\n").length)).toEqual([1000, 1]);
});
