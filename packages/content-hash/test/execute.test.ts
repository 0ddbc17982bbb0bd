import {
  type CodeHashNormalizedOptions,
  codeHashNormalizedTool,
  computeTextHash,
  executeCodeHashNormalized,
} from "@agentprint/content-hash";
import { anyCharacter } from "@agentprint/testing/text/any-character";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const run = (argumentsJson: unknown, options?: CodeHashNormalizedOptions) =>
  executeCodeHashNormalized(typeof argumentsJson === "string" ? argumentsJson : JSON.stringify(argumentsJson), options);

describe("a success", () => {
  test("has the seven keys in order", async () => {
    const result = await run({ content: "a\r\n  b", docPath: "a.ts", label: "pre" });
    expect(JSON.stringify(result)).toBe(
      `{"success":true,"hash":"${computeTextHash("a b")}","contentLength":6,"docPath":"a.ts","label":"pre","errorCode":null,"errorMessage":null}`,
    );
    expect(Object.keys(result)).toEqual(codeHashNormalizedTool.outputSchema.required);
  });

  test("counts the UTF-8 bytes of the content as passed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter }), async (content) => {
        expect((await run({ content })).contentLength).toBe(new TextEncoder().encode(content).length);
      }),
    );
    const service = { computeTextHash: () => "hash" };
    expect((await run({ content: "\ud800x\udc00" }, { service })).contentLength).toBe(7);
  });

  test("delegates only to the service", async () => {
    const seen: string[] = [];
    const service = { computeTextHash: (content: string) => `hash ${seen.push(content)}` };
    expect((await run({ content: " a\r\n" }, { service })).hash).toBe("hash 1");
    expect(seen).toEqual([" a\r\n"]);
  });

  test("accepts names in any case, uses the last of equal ones, and echoes simple values as text", async () => {
    const result = await run('{"Content":"a","CONTENT":"b","docpath":5,"label":true,"other":{}}');
    expect(result).toMatchObject({ hash: computeTextHash("b"), docPath: "5", label: "true" });
  });
});

describe("a repeated name", () => {
  const last = async (json: string) => (await run(json)).hash;

  test.each([
    ['{"Content":"b","content":"a","Content":"c"}', "c"],
    ['{"content":"a","\\u0063ontent":"b"}', "b"],
    ['{"content":"a","content":"b","CONTENT":"c","content":"d"}', "d"],
    ['{"Content":"a","x":{"content":"b"},"y":["content","c"],"z":",\\"Content\\":1"}', "a"],
    [' { "content" : "a" , "Content" : "b\\\\" } ', "b\\"],
    ['{"content":{},"__proto__":{"content":"b"},"CONTENT":"a"}', "a"],
  ])("%s", async (json, expected) => {
    expect(await last(json)).toBe(computeTextHash(expected));
  });

  test("has its last value, whatever is in between", async () => {
    const contentName = fc.constantFrom("content", "Content", "CONTENT", "con\\u0074ent");
    const name = fc.oneof(contentName, fc.constantFrom("x", 'a\\"b', "\\\\"));
    const value = fc.oneof(
      fc.json(),
      fc.string().map((text) => JSON.stringify(text)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(name, value)),
        contentName,
        fc.string(),
        async (members, lastName, content) => {
          const all = [...members, [lastName, JSON.stringify(content)], ["content2", "1"]] as const;
          const json = `{${all.map(([key, written]) => `"${key}": ${written}`).join(",")}}`;
          expect(await last(json)).toBe(computeTextHash(content));
        },
      ),
    );
  });
});

describe("a service that answers later", () => {
  const later = (answer: () => string | Promise<string>): CodeHashNormalizedOptions => ({
    service: { computeTextHash: async () => answer() },
  });

  test("is waited for", async () => {
    expect(
      await run(
        { content: "a" },
        later(() => "later"),
      ),
    ).toMatchObject({ success: true, hash: "later" });
    const { signal } = new AbortController();
    expect(await run({ content: "a" }, { ...later(() => "later"), signal })).toMatchObject({ hash: "later" });
  });

  test("that fails is an error like any other", async () => {
    const fails = later(() => {
      throw new Error("down");
    });
    expect((await run({ content: "a" }, fails)).errorCode).toBe("UNEXPECTED_ERROR");
    const malformed = later(() => computeTextHash("\ud800"));
    expect((await run({ content: "a" }, malformed)).errorCode).toBe("MALFORMED_TEXT");
  });

  test.each([undefined, null, 1, {}, Promise.resolve(undefined)])(
    "that answers no text, %s, has not hashed",
    async (answer) => {
      const service = { computeTextHash: () => answer as string };
      expect(await run({ content: "a", label: "l" }, { service })).toMatchObject({
        hash: null,
        errorCode: "UNEXPECTED_ERROR",
        label: "l",
      });
    },
  );

  test("is no longer awaited once the call is cancelled", async () => {
    const controller = new AbortController();
    const never = { computeTextHash: () => new Promise<string>(() => controller.abort()) };
    const late = { computeTextHash: () => new Promise<string>(() => setTimeout(() => controller2.abort())) };
    const controller2 = new AbortController();
    const cancelled = { success: false, hash: null, errorCode: "CANCELLED" };
    expect(await run({ content: "a" }, { service: never, signal: controller.signal })).toMatchObject(cancelled);
    expect(await run({ content: "a" }, { service: late, signal: controller2.signal })).toMatchObject(cancelled);
  });
});

describe("an error", () => {
  test.each<[string, string | null | undefined, CodeHashNormalizedOptions, string]>([
    ["cancelled before anything else", null, { signal: AbortSignal.abort() }, "CANCELLED"],
    ["null", null, {}, "MISSING_ARGUMENTS"],
    ["undefined", undefined, {}, "MISSING_ARGUMENTS"],
    ["empty", "", {}, "MISSING_ARGUMENTS"],
    ["white space, as Unicode has it", " \n\u0085\u3000", {}, "MISSING_ARGUMENTS"],
    ["no JSON", "{content}", {}, "DESERIALIZATION_ERROR"],
    ["trailing data", '{"content":"a"} x', {}, "DESERIALIZATION_ERROR"],
    ["an array", '["a"]', {}, "DESERIALIZATION_ERROR"],
    ["a text", '"a"', {}, "DESERIALIZATION_ERROR"],
    ["a number", "1", {}, "DESERIALIZATION_ERROR"],
    ["metadata that is no text", '{"content":"a","docPath":{}}', {}, "DESERIALIZATION_ERROR"],
    ["a label that is no text", '{"content":"a","label":[]}', {}, "DESERIALIZATION_ERROR"],
    ["nesting without end", "[".repeat(40_000_000), {}, "DESERIALIZATION_ERROR"],
    ["an unused member that is too deep", `{"a":${"[".repeat(1000)}${"]".repeat(1000)}}`, {}, "DESERIALIZATION_ERROR"],
    ["an unused member that is not", `{"a":${"[".repeat(999)}${"]".repeat(999)}}`, {}, "MISSING_CONTENT"],
    ["brackets in strings", `{"a\\"${"[{".repeat(2000)}":0}`, {}, "MISSING_CONTENT"],
    ["null as JSON", "null", {}, "MISSING_CONTENT"],
    ["no content", "{}", {}, "MISSING_CONTENT"],
    ["null content", '{"content":null}', {}, "MISSING_CONTENT"],
    ["an own __proto__", '{"__proto__":{"content":"a"}}', {}, "MISSING_CONTENT"],
    ["a number as content", '{"content":1}', {}, "INVALID_CONTENT"],
    ["an object as content", '{"content":{}}', {}, "INVALID_CONTENT"],
    ["an array as content", '{"content":[]}', {}, "INVALID_CONTENT"],
    ["content that is too large", '{"content":"\u20ac\u20ac"}', { maxBytes: 5 }, "CONTENT_TOO_LARGE"],
    [
      "content that is too large even when it is escaped",
      `{"content":"${"\\u0061".repeat(6)}"}`,
      { maxBytes: 5 },
      "CONTENT_TOO_LARGE",
    ],
    ["a lone surrogate in content that is too large", '{"content":"\\ud800"}', { maxBytes: 2 }, "CONTENT_TOO_LARGE"],
    ["no JSON, however long", "[".repeat(70_000), { maxBytes: 5 }, "DESERIALIZATION_ERROR"],
    ["another type, however long", `{"content":[${" ".repeat(70_000)}]}`, { maxBytes: 5 }, "INVALID_CONTENT"],
    ["a large number", `{"content":${"1".repeat(70_000)}}`, { maxBytes: 5 }, "INVALID_CONTENT"],
    ["a boolean", '{"content":true}', {}, "INVALID_CONTENT"],
    ["no content in long arguments", `{"x":"${"x".repeat(70_000)}"}`, { maxBytes: 5 }, "MISSING_CONTENT"],
    ["no text at all", { content: "a" } as never, {}, "DESERIALIZATION_ERROR"],
    ["a lone surrogate", '{"content":"\\ud800"}', {}, "MALFORMED_TEXT"],
    [
      "a failing service",
      '{"content":"a"}',
      {
        service: {
          computeTextHash: () => {
            throw new Error("down");
          },
        },
      },
      "UNEXPECTED_ERROR",
    ],
  ])("%s", async (_name, argumentsJson, options, errorCode) => {
    const result = await executeCodeHashNormalized(argumentsJson as string | null, options);
    expect(result).toEqual({
      success: false,
      hash: null,
      contentLength: 0,
      docPath: null,
      label: null,
      errorCode,
      errorMessage: expect.stringMatching(/\S/),
    });
    expect(Object.keys(result)).toEqual(codeHashNormalizedTool.outputSchema.required);
  });

  test("echoes the metadata once the arguments are read", async () => {
    const metadata = { docPath: "d", label: "l" };
    for (const content of [undefined, 1, "\ud800", "long enough"]) {
      expect(await run({ ...metadata, content }, { maxBytes: 8 })).toMatchObject({ success: false, ...metadata });
    }
  });

  test("occurs from exactly one byte above the limit", async () => {
    expect((await run({ content: "é€" }, { maxBytes: 5 })).success).toBe(true);
    expect((await run({ content: "é€" }, { maxBytes: 4 })).errorCode).toBe("CONTENT_TOO_LARGE");
    const most = 8 * 1024 * 1024;
    expect((await run({ content: "x".repeat(most) })).success).toBe(true);
    expect((await run({ content: "x".repeat(most + 1) })).errorCode).toBe("CONTENT_TOO_LARGE");
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 0.5, null, "5", Object.create(null), Symbol("most")])(
    "a limit that is no whole number is no limit that is lifted: %s",
    async (maxBytes) => {
      const options = { maxBytes: maxBytes as number };
      const result = await run({ content: "a".repeat(9 * 1024 * 1024), label: "l" }, options);
      expect(result).toMatchObject({ success: false, errorCode: "UNEXPECTED_ERROR", label: "l" });
      expect(result.errorMessage).toContain("maxBytes");
      expect((await run("{", options)).errorCode).toBe("DESERIALIZATION_ERROR");
      expect((await run({ content: "a" }, { maxBytes: undefined })).success).toBe(true);
    },
  );

  test("the first failing check decides, however large the rest is", async () => {
    const valid = fc.record({
      cancelled: fc.boolean(),
      blank: fc.boolean(),
      broken: fc.boolean(),
      content: fc.constantFrom("none", "null", "number", "large", "surrogate", "fine"),
      padding: fc.constantFrom(0, 100_000),
    });
    await fc.assert(
      fc.asyncProperty(valid, async ({ cancelled, blank, broken, content, padding }) => {
        const written = {
          none: '"x":1',
          null: '"content":null',
          number: '"content":1',
          large: '"content":"aaaaaaa"',
          surrogate: '"content":"\\ud800"',
          fine: '"content":"a"',
        }[content];
        const json = blank ? " ".repeat(padding) : `{"docPath":"${"d".repeat(padding)}",${written}${broken ? "" : "}"}`;
        const contentCode = {
          none: "MISSING_CONTENT",
          null: "MISSING_CONTENT",
          number: "INVALID_CONTENT",
          large: "CONTENT_TOO_LARGE",
          surrogate: "MALFORMED_TEXT",
          fine: null,
        }[content];
        const expected = cancelled
          ? "CANCELLED"
          : blank
            ? "MISSING_ARGUMENTS"
            : broken
              ? "DESERIALIZATION_ERROR"
              : contentCode;
        const signal = cancelled ? AbortSignal.abort() : undefined;
        const result = await run(json, { signal, maxBytes: 5 });
        expect(result.errorCode).toBe(expected);
        if (!cancelled && !blank && !broken) expect(result.docPath).toHaveLength(padding);
      }),
    );
  });

  test("is never thrown", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (argumentsJson) => {
        expect(Object.keys(await run(argumentsJson))).toHaveLength(7);
      }),
    );
  });
});
