import { runs } from "@agentprint/testing/property-runs";
import { anyCharacter } from "@agentprint/testing/text/any-character";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSecretReplacer } from "../../src/index.ts";

const SECRET = 'hunter"2\\\n/ä€💥 %41+=';
const { replace } = createSecretReplacer([
  { name: "A", value: SECRET },
  { name: "B_TOKEN", value: "s3cret" },
]);
const base64 = (text: string): string => Buffer.from(text).toString("base64");

describe("a known value is replaced", () => {
  const json = (text: string): string => JSON.stringify(text).slice(1, -1);
  const everyUnit = (text: string): string =>
    text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`);
  const everyByte = (text: string): string =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

  test.each<[name: string, written: string]>([
    ["as it is", SECRET],
    ["in JSON", json(SECRET)],
    ["in JSON in JSON", json(json(SECRET))],
    ["with every character escaped", everyUnit(SECRET)],
    ["as escapeText writes it", SECRET.replace("\n", "\\u{a}").replace("💥", "\\u{1f4a5}")],
    ["percent-encoded", encodeURIComponent(SECRET)],
    ["with every byte percent-encoded", everyByte(SECRET)],
    ["percent-encoded in part, in other case", SECRET.replace("u", "%75").replace("ä", "%C3%a4")],
    ["percent-encoded twice", encodeURIComponent(encodeURIComponent(SECRET))],
    ["in JSON, percent-encoded", encodeURIComponent(json(SECRET))],
    ["in XML", SECRET.replace('"', "&quot;").replace("/", "&#x2f;").replace("ä", "&#228;")],
    ["in a shell's quotes", `'${SECRET.replaceAll("'", "'\\''")}'`],
    ["in hexadecimal", Buffer.from(SECRET).toString("hex")],
    ["wrapped", `hunter"\r\n   2\\\n/ä€\n💥 %41+=`],
    ["in Base64", base64(SECRET)],
    ["in Base64 for URLs", Buffer.from(SECRET).toString("base64url")],
    ["in Base64 in a URL", encodeURIComponent(base64(SECRET))],
    ["in JSON in Base64", base64(JSON.stringify({ a: 1, secret: SECRET, b: "x" }))],
    ["in a login in Base64", base64(`me:${SECRET}`)],
    ["in the middle of Base64", base64(`xx${SECRET}y`)],
  ])("%s", (_name, written) => {
    const replaced = replace(`before: ${written} :behind`);
    expect(replaced).toContain("‹value of A›");
    expect(replaced).toMatch(/^before: [\s\S]* :behind$/);
    for (const part of [SECRET, written, "hunter", Buffer.from(SECRET).toString("hex").slice(0, 12)]) {
      expect(replaced).not.toContain(part);
    }
  });

  test("at each place, and nothing else is", () => {
    expect(replace("a s3cret, b s3cre%74; s3cre")).toBe("a ‹value of B_TOKEN›, b ‹value of B_TOKEN›; s3cre");
    expect(replace("no \\u0041 %41 &amp; Zm9v")).toBe("no \\u0041 %41 &amp; Zm9v");
  });

  test("and no default password, which is a plain word of many texts", () => {
    const url = "postgresql://postgres:postgres@localhost/app";
    const { replace: shown } = createSecretReplacer([
      { name: "DATABASE_URL", value: url },
      { name: "DB_PASSWORD", value: "Password" },
    ]);
    expect(shown("the tool postgres asks for a Password")).toBe("the tool postgres asks for a Password");
    expect(shown(`no answer of ${url}`)).toBe("no answer of ‹value of DATABASE_URL›");
  });

  test("the longest first, and the rest of what overlaps", () => {
    const overlapping = createSecretReplacer([
      { name: "SHORT", value: "abcdefgh" },
      { name: "LONG", value: "abcdefghijkl" },
      { name: "NEXT", value: "ijklmnopqr" },
    ]);
    expect(overlapping.replace("abcdefghijkl abcdefghij")).toBe("‹value of LONG› ‹value of SHORT›ij");
    expect(overlapping.replace("xabcdefghijklmnopqrx")).toBe("x‹value of LONG›‹value of NEXT›x");
  });

  test("in part where the text was cut", () => {
    const { replace: cut } = createSecretReplacer([{ name: "KEY", value: "0123456789abcdefghij" }]);
    expect(cut("it was 0123456789…")).toBe("it was ‹value of KEY›…");
    expect(cut("…9abcdefghij: what")).toBe("…‹value of KEY›: what");
    expect(cut("abcdefghij: what", "at-start")).toBe("‹value of KEY›: what");
    expect(cut("abcdefghij: what 0123…")).toBe("abcdefghij: what 0123…");
  });

  test("in every string and member name of a value", () => {
    const { replaceIn } = createSecretReplacer([{ name: "KEY", value: "hunter22" }]);
    expect(replaceIn({ hunter22: ["x hunter22", 1, null, { "hunter%322": true }], y: undefined })).toEqual({
      "‹value of KEY›": ["x ‹value of KEY›", 1, null, { "‹value of KEY›": true }],
      y: undefined,
    });
    expect(Object.keys(replaceIn(JSON.parse('{"hunter22":1,"hunter%322":2,"__proto__":3}')))).toHaveLength(3);
  });
});

describe("which values are known", () => {
  const named = (name: string, value: string): string =>
    createSecretReplacer([{ name, value }]).replace(`it is ${value}.`);

  test.each([
    ["NAME", "1234567", "it is 1234567."],
    ["NAME", "12345678", "it is ‹value of NAME›."],
    ["API_KEY", "1234", "it is ‹value of API_KEY›."],
    ["API_KEY", "is", "it ‹value of API_KEY› ‹value of API_KEY›."],
    ["API_KEY", "t", "it is ‹value of API_KEY›."],
    ["API_KEY", " ", "it is  ."],
    ["API_KEY", "", "it is ."],
  ])("%s with the value %j", (name, value, text) => {
    expect(named(name, value)).toBe(text);
  });

  test("credentials behind a scheme, in a login, and in a URL", () => {
    const { replace: header } = createSecretReplacer([{ name: "Authorization", value: "Bearer abc123" }]);
    expect(header("got Bearer abc123, abc123")).toBe("got ‹value of Authorization›, ‹value of Authorization›");
    const { replace: login } = createSecretReplacer([
      { name: "Authorization", value: `Basic ${base64("me:hunter2")}` },
    ]);
    expect(login("no hunter2")).toBe("no ‹value of Authorization›");
    const { replace: url } = createSecretReplacer([{ name: "DB", value: "postgres://me:p%40ss@h.test/db" }]);
    expect(url("me: p@ss or p%40ss at h.test")).toBe("me: ‹value of DB› or ‹value of DB› at h.test");
  });
});

const secret = fc.string({ unit: anyCharacter, minLength: 8, maxLength: 40 }).filter((text) => text.trim().length >= 8);
const surrounding = fc.string({ unit: "binary-ascii", maxLength: 20 });

test("no encoding of any secret is left, whatever stands around it", () => {
  const encodings: readonly ((text: string) => string)[] = [
    (text) => text,
    (text) => JSON.stringify(text),
    (text) => JSON.stringify({ data: JSON.stringify(text) }),
    encodeURIComponent,
    (text) => encodeURIComponent(JSON.stringify(text)),
    base64,
    (text) => Buffer.from(`xy${text}`).toString("base64url"),
    (text) => base64(JSON.stringify(`x${text}`)),
    (text) => Buffer.from(text).toString("hex"),
  ];
  fc.assert(
    fc.property(secret, fc.constantFrom(...encodings), surrounding, surrounding, (value, encode, before, behind) => {
      const encoded = encode(value);
      const replacer = createSecretReplacer([{ name: "A", value }]);
      const replaced = replacer.replace(`${before} ${encoded} ${behind}`);
      expect(replaced).toContain("‹value of A›");
      expect(replaced).not.toContain(encoded);
      expect(replacer.replace(replaced)).toBe(replaced);
    }),
    { numRuns: runs(50) },
  );
});

test("a text that comes in pieces is replaced as a whole", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom("hunter22", "hunter", "22", "\\u0068unter22", "…"), surrounding), {
        maxLength: 60,
      }),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
      (texts, sizes) => {
        const text = texts.join("");
        const replacer = createSecretReplacer([{ name: "A", value: "hunter22" }]);
        const stream = replacer.stream();
        let written = "";
        for (let at = 0, index = 0; at < text.length; index++) {
          const size = sizes[index % sizes.length] ?? 1;
          written += stream.write(text.slice(at, at + size));
          at += size;
        }
        expect(written + stream.end()).toBe(replacer.replace(text));
      },
    ),
    { numRuns: runs(100) },
  );
});

test("a text without values stays the same, byte by byte", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      const replacer = createSecretReplacer([{ name: "A", value: "no text has this in it" }]);
      expect(replacer.replace(text)).toBe(text);
      const stream = replacer.stream();
      expect(stream.write(text) + stream.end()).toBe(text);
    }),
    { numRuns: runs(100) },
  );
});

test("hostile texts take no longer than other texts", () => {
  const { replace: guard } = createSecretReplacer([
    { name: "A", value: `${"a".repeat(2000)}b` },
    { name: "B", value: "\\u0061\\\\%25" },
  ]);
  for (const piece of [
    "a",
    "\\",
    "%",
    "%25",
    "\\u",
    "&",
    "&#",
    "…",
    "\r\n ",
    "%f0%9f",
    "'\\''",
    "YWFh",
    `${"a".repeat(1999)}c`,
  ]) {
    const text = piece.repeat(Math.ceil(400_000 / piece.length));
    expect(typeof guard(text)).toBe("string");
  }
});
