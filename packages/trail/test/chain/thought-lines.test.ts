import { anyCharacter } from "@agentprint/testing/text/any-character";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ChainVerifier,
  formatThoughtLine,
  parseThoughtLines,
  TrailError,
  verifyChain,
  verifyThoughtLines,
} from "../../src/chain/index.ts";
import { LineReader } from "../../src/chain/thought-lines.ts";
import type { ThoughtRecord } from "../../src/index.ts";
import { at, chainOf } from "../records.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function parse(...chunks: Uint8Array[]): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const value of parseThoughtLines(chunks)) values.push(value);
  return values;
}

const records = chainOf(20);
const text = records.map((record) => formatThoughtLine(record)).join("");

describe("JSON Lines", () => {
  test("are read back as they were written, wherever the bytes are cut", async () => {
    const whole = bytes(text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 6 }), async (cuts) => {
        const ends = [...cuts.sort((a, b) => a - b), whole.length];
        const chunks = ends.map((end, index) => whole.subarray(ends[index - 1] ?? 0, end));
        expect(await parse(...chunks)).toEqual(records);
      }),
    );
  });

  test("may come in a buffer that is used again", async () => {
    const whole = Buffer.from(text);
    function* chunks(): Generator<Uint8Array> {
      const buffer = Buffer.alloc(100);
      for (let offset = 0; offset < whole.length; offset += buffer.length) {
        yield buffer.subarray(0, whole.copy(buffer, 0, offset));
      }
    }
    expect(await verifyThoughtLines(chunks())).toMatchObject({ ok: true, length: records.length });
  });

  test.each([
    ["many short lines", 1_000, 200],
    ["one line longer than a part", 70_000, 1],
    ["two lines longer than a part", 70_000, 2],
  ])("are numbered through in a chunk that is read in parts: %s", async (_name, length, count) => {
    const short = JSON.stringify("s".repeat(length));
    const good = Array<string>(count).fill(short);
    const chunk = bytes(`${[...good, '"é"', "{", ...good, "[1,]", ...good].join("\n")}\n`);
    chunk[chunk.indexOf(0xc3)] = 0xff;
    const values = await parse(chunk);
    const wrong = values.filter((value) => value instanceof TrailError);
    expect(wrong.map(({ line }) => line)).toEqual([count + 1, count + 2, 2 * count + 3]);
    expect(values.filter((value) => typeof value === "string")).toEqual(Array(3 * count).fill("s".repeat(length)));
  });

  test("without escapes are read back, and a changed record is found", async () => {
    const plain = { ...at(records, 0), content: "nothing to escape" };
    expect(await parse(bytes(formatThoughtLine(plain)))).toEqual([plain]);
    const verifier = new ChainVerifier();
    for await (const value of parseThoughtLines([bytes(formatThoughtLine(plain))])) verifier.push(value);
    expect(verifier.problemCount).toBe(1);
    expect(verifier.finish().problems).toMatchObject([{ kind: "altered", index: 0 }]);
  });

  test("are read as JSON.parse reads them, for any texts", async () => {
    const any = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: fc.constantFrom("a", "\n", '"', "\\", "\b") }),
    );
    const anyRecord = fc.record({ ...Object.fromEntries(Object.keys(at(records, 0)).map((name) => [name, any])) });
    await fc.assert(
      fc.asyncProperty(anyRecord, async (record) => {
        const line = formatThoughtLine(record as unknown as ThoughtRecord);
        expect(await parse(bytes(line))).toEqual([record]);
        expect(await parse(bytes(`${JSON.stringify(record)}\n`))).toEqual([record]);
      }),
    );
  });

  test("keep lone surrogates, which formatThoughtLine writes as escapes", async () => {
    for (const content of ["\ud800", "a\udc00b", "\udbff\ud800"]) {
      const record = { ...at(records, 0), content };
      expect(await parse(bytes(formatThoughtLine(record)))).toEqual([record]);
    }
  });

  test("with escaped names are read correctly, even if V8 remembers the names of another record", async () => {
    const names = Object.keys(at(records, 0)).sort();
    const remembered = JSON.stringify(Object.fromEntries([...names, "\\"].map((name) => [name, "x"])));
    const line = JSON.stringify(Object.fromEntries([...names, "\n"].map((name) => [name, "x"])));
    for (let round = 0; round < 100; round++) {
      JSON.parse(remembered);
      const [value] = await parse(bytes(`${line}\n`));
      expect(Object.keys(value as object)).toEqual([...names, "\n"]);
    }
  });

  test.each([
    ["another name", (line: string) => line.replace('"hash"', '"h\\u0061sh"'), true],
    ["white space", (line: string) => line.replace(":", ": "), true],
    ["a ninth member", (line: string) => line.replace("{", '{"a":"",'), true],
    ["a long text", (line: string) => line.replace("nothing", "long ".repeat(20_000)), true],
    ["a control character", (line: string) => line.replace("nothing", "\u0001"), false],
    ["a name twice", (line: string) => line.replace('"id"', '"id":"x","id"'), false],
    ["text behind it", (line: string) => line.replace("}", "}x"), false],
  ])("with %s are left to the strict parser", async (_name, change, valid) => {
    const line = change(formatThoughtLine({ ...at(records, 0), content: "nothing to escape" }).trimEnd());
    const [value] = await parse(bytes(line));
    if (valid) expect(value).toEqual(JSON.parse(line));
    else expect(value).toBeInstanceOf(TrailError);
  });

  test("need no final line feed", async () => {
    expect(await parse(bytes(text.trimEnd()))).toEqual(records);
  });

  test("may have white space and other escapes", async () => {
    expect(await parse(bytes('{ "a": "\\u0041" }\n'))).toEqual([{ a: "A" }]);
  });

  test.each([
    ["not JSON", 'x{"a":1}\n{"a":1}\n', 1, "malformed-line"],
    ["an empty line", '{"a":1}\n\n{"a":1}', 2, "malformed-line"],
    ["an empty line in front of another", '{"a":1}\n\n\n', 2, "malformed-line"],
    ["a duplicate key", '{"a":1}\n{"a":1,"a":1}\n', 2, "malformed-line"],
    ["a duplicate key in the end", '{"a":1,"a":1}', 1, "malformed-line"],
    ["a cut line", '{"a":1}\n{"a":', 2, "truncated-line"],
  ])("say where: %s", async (_name, input, line, code) => {
    const error = (await parse(bytes(input)))[line - 1];
    expect(error).toBeInstanceOf(TrailError);
    expect(error).toMatchObject({ code, line });
  });

  test.each(["\n", "\r\n", " ", "\t\n"])("leave out a last line of %j, in pieces of any size", async (end) => {
    const text = bytes(`{"a":1}\n${end}`);
    expect(await parse(text)).toEqual([{ a: 1 }]);
    const reader = new LineReader();
    const values = [...text].flatMap((byte) => reader.read(Uint8Array.of(byte)));
    expect([...values, ...reader.end()]).toEqual([{ a: 1 }]);
  });

  test("say where: invalid UTF-8, in the middle and at the end", async () => {
    expect((await parse(Uint8Array.of(0x22, 0xff, 0x22, 0x0a)))[0]).toMatchObject({
      code: "malformed-line",
      column: 1,
    });
    expect((await parse(Uint8Array.of(0x22, 0xe2, 0x9c)))[0]).toMatchObject({ code: "truncated-line", line: 1 });
  });

  test("are refused if a line would fill the memory", async () => {
    const megabyte = new Uint8Array(2 ** 20).fill(0x20);
    await expect(parse(...Array.from({ length: 65 }, () => megabyte))).rejects.toMatchObject({ code: "line-too-long" });
  });

  test("of a file that was cut off are truncated", async () => {
    const report = await verifyChain(parseThoughtLines([bytes(text.slice(0, -30))]));
    expect(report.problems).toMatchObject([{ kind: "truncated", index: 19, line: 20 }]);
  });

  test("are verified by verifyThoughtLines as by verifyChain of parseThoughtLines", async () => {
    const damaged = [bytes(text.replace("Thought 7", "Thought 8")), bytes("\n{}")];
    expect(await verifyThoughtLines(damaged)).toEqual(await verifyChain(parseThoughtLines(damaged)));
  });

  test("with one bad line have a problem at this line alone", async () => {
    const [first = "", ...rest] = text.split("\n");
    const cut = [bytes(`${first}\n`), Uint8Array.of(0xff, 0x0a), bytes(rest.join("\n"))];
    const joined = Buffer.concat(cut);
    const report = await verifyThoughtLines([joined]);
    expect(report.problems).toMatchObject([{ kind: "malformed", line: 2, index: 1 }]);
    expect(report.length).toBe(records.length + 1);
  });

  test("with a duplicate key, which parsers read differently, are no record", async () => {
    const line = formatThoughtLine(at(records, 0));
    const doubled = line.replace('{"agent_id"', '{"content":"what the first reader sees","agent_id"');
    const report = await verifyChain(parseThoughtLines([bytes(doubled)]));
    expect(report.problems).toMatchObject([{ kind: "malformed", line: 1 }]);
  });
});
