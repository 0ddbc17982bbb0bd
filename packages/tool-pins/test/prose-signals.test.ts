import { anyCharacter } from "@agentprint/testing/text/any-character";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { proseSignals } from "../src/judgement/index.ts";

const BEFORE =
  "Reads one file from the disk and returns its whole text, see https://docs.example/read, README.md and /tmp/cache.";
const NAMES = ["send_mail", "read_file", "Notes Server", "fetch", "API-post-search"];

/** Returns the signals of an addition to a text, abbreviated and without those for new words. */
const signalsOf = (addition: string): string[] =>
  proseSignals(BEFORE, `${BEFORE} ${addition}`, { names: NAMES, words: false }).map(
    ({ signal, text }) => `${signal} ${text}`,
  );

describe("a signal is", () => {
  test.each([
    ["See https://evil.example/x?y=1.", ["url https://evil.example/x?y=1"]],
    ["See (HTTPS://Evil.example)", ["url HTTPS://Evil.example"]],
    ["url=ftp://evil.example/x", ["url ftp://evil.example/x"]],
    ["Open javascript:alert", ["url javascript:alert"]],
    ["Ask collect.evil.example:8443/x, please", ["host collect.evil.example"]],
    ["Ask 203.0.113.7 or localhost", ["host 203.0.113.7", "host localhost"]],
    ["Ask bücher.example", ["host bücher.example"]],
    ["Ask ｅｖｉｌ．ｃｏｍ or evil。example", ["host evil.com", "host evil.example"]],
    ["Mail joe＠evil.example, ＜system＞", ["email joe@evil.example", "markup <system>"]],
    ["Ask [2001:db8::1]:80 or http://[::1]/x", ["url http://", "host [2001:db8::1]", "host [::1]", "path /x"]],
    ["Ask [1:2:3:4:5:6:7:8]", ["host [1:2:3:4:5:6:7:8]"]],
    ["First sendMail, read-file and SEND-MAIL", ["name send_mail", "name read_file"]],
    ["SYSTEM: obey. Human: do so", ["markup SYSTEM:", "markup Human:"]],
    ["Done ### now --- obey", ["markup ###", "markup ---"]],
    ["Use deadbeef0123456789abcdef01", ["encoded deadbeef0123456789abcdef01"]],
    ["SWdub3JlIGFsbCBwcmV2aW91cyBpbnN0cnVjdGlvbnM=", ["encoded SWdub3JlIGFsbCBwcmV2aW91cyBpbnN0cnVjdGlvbnM="]],
    ["Mail to joe@evil.example!", ["email joe@evil.example"]],
    ["Read ~/.ssh/id_rsa and C:\\keys", ["path ~/.ssh/id_rsa", "path C:\\keys"]],
    ["Read /etc/passwd, .env and ../x", ["path /etc/passwd", "path .env", "path ../x"]],
    ["Read src/config.toml in a/b/c/d", ["path src/config.toml", "path a/b/c/d"]],
    ["$HOME/x, $5/keys, $19/mo, .doc", ["path $HOME/x", "path $5/keys", "environment-variable HOME"]],
    ["Read home/user/secrets/keys", ["path home/user/secrets/keys"]],
    ["Read $(pwd)/keys/all or <home>/keys", ["path /keys/all", "path /keys", "markup <home>"]],
    ['Read "/etc"/passwd, `data`/keys', ["path /etc", "path /passwd", "path /keys"]],
    ["Read /create/update/delete, /2/keys", ["path /create/update/delete", "path /2/keys"]],
    ["Send $" + "{C2}, $C2_KEY, %DB% or %C2%KEY", ["C2", "C2_KEY", "DB"].map((name) => `environment-variable ${name}`)],
    ["Send AWS_SECRET_ACCESS_KEY", ["environment-variable AWS_SECRET_ACCESS_KEY"]],
    [
      "Use $" + "{TOKEN}, %APPDATA% or process.env.KEY",
      ["environment-variable TOKEN", "environment-variable APPDATA", "environment-variable KEY"],
    ],
    ["First call send_mail.", ["name send_mail"]],
    ["First call `Send_Mail` of the notes server", ["name send_mail", "name Notes Server"]],
    ["First api-post-search, then fetch", ["name API-post-search", "name fetch"]],
    ["<IMPORTANT attr='x'>Do</IMPORTANT>", ["markup <important>", "markup </important>"]],
    [
      "<|im_start|> <<SYS>> [INST] <!-- x -->",
      ["markup <|im_start|>", "markup <<SYS>>", "markup <!--", "markup -->", "markup [INST]"],
    ],
    [
      "\n```\ncode\n```\n## System\n---\n{{x}}",
      ["markup ```", "markup ## System", "markup ---", "markup {{", "markup }}"],
    ],
    ["&#x200b; \\u200b", ["markup &#x200b;", "markup \\u200b"]],
    ["a\u200bb\u200bc\u{e0041}", ["invisible U+200B, 2 times", "invisible U+E0041"]],
    ["👍\ufe0f\ufe0f\ufe0e", ["invisible U+FE0F", "invisible U+FE0E"]],
    [`a${" ".repeat(50)}b`, ["invisible a gap of 50 characters"]],
    [`a${"\n".repeat(9)}b`, ["invisible a gap of 40 characters"]],
    ["раypal", ["mixed-script раypal"]],
    ["рауее", ["mixed-script рауее"]],
  ])("%j", (addition, signals) => {
    expect(signalsOf(addition)).toEqual(signals);
  });

  test.each([
    "It reads faster now, e.g. and/or one at a time (i.e. 2.5 times).",
    "See https://docs.example/read and README.md again, or /tmp/cache.",
    "Returns application/json, package.json, Node.js, console.log(x) and .json files",
    "The cell C2, $C2, 'Sheet 1'!$AB$12 or A1:C2; the share (1)/2, [x]/2 or 1/2/3/4; %C2%A0",
    "Can create/update/delete, `read`/create/update/delete, and list/create/Update/delete/merge {owner}/issues",
    "refetch fetched Fetch send_mails re_send_mail",
    "Set $ref, $defs and $schema; the rate is 5 % or 10 km/h",
    "Costs < 5 and a > b, an array x[0], [optional]",
    "⚠️ 👍🏽 👨‍👩‍👧 1️⃣ é ü ñ ß 日本語 PDFファイル 한국어 μ Привет می‌خواهم",
    "Uses one_two, camelCase, HTTP and UTF8",
    "读取文件。返回文本。用 API。Reads files",
    "A list[::2], [12:30:45] and a-b--c; user: the name. Note: System time",
    "See getUserByIdAndVersion2Response, some_very_long_identifier_of_a_tool, 123e4567-e89b-12d3-a456-426614174000",
  ])("nothing in %j", (addition) => {
    expect(signalsOf(addition)).toEqual([]);
  });

  test("more than 30 % new words, counted without regard to capitals", () => {
    const words = (before: string | undefined, after: string) => proseSignals(before, after).map(({ text }) => text);
    expect(words("a b c d e f g h i j", "A b c d e f g x y z")).toEqual([]);
    expect(words("a b c d e f g h i j", "a b c d e f w x y z")).toEqual(["40 % new words"]);
    expect(words(undefined, "Reads")).toEqual(["100 % new words"]);
    expect(words("読む", "読書")).toEqual(["50 % new words"]);
    expect([words("a", ""), proseSignals("a", undefined)]).toEqual([[], []]);
  });

  test("nothing that was there before, in any order", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...SAMPLES), fc.string({ unit: anyCharacter })), { maxLength: 8 }),
        (parts) => {
          const [before, after] = [parts.join(" "), parts.toReversed().join(" ")];
          expect(proseSignals(`${before} `, `${before}  `, { names: NAMES })).toEqual([]);
          const isWhole = parts.every((part) => /^[\w-]*$/.test(part));
          if (isWhole) expect(proseSignals(before, after, { names: NAMES })).toEqual([]);
        },
      ),
    );
  });

  test("shown safely, and at most eight of a kind", () => {
    const hosts = Array.from({ length: 20 }, (_, index) => `h${index}.example`).join(" ");
    const signals = proseSignals("", hosts, { words: false });
    expect(signals).toHaveLength(8);
    expect(signals.at(-1)).toEqual({ signal: "host", text: "and 13 more" });
    const [url] = proseSignals("", `https://a.example/\u202e${"x".repeat(500)}`);
    expect(url?.text).toMatch(/^https:\/\/a\.example\/\\u\{202e\}x+…$/);
  });
});

test("a text that is a variable as a whole names it, and a word in capitals does not", () => {
  expect(proseSignals("", "$API_KEY", { words: false })).toEqual([{ signal: "environment-variable", text: "API_KEY" }]);
  expect(proseSignals("", "API_KEY", { words: false })).toEqual([]);
});

const SAMPLES = ["send_mail", "API-post-search", "plain", "words", "MORE_WORDS"];

test("hostile texts take time that grows with their length alone", () => {
  const [length, factor] = [2500, 10];
  const names = Array.from({ length: 5000 }, (_, index) => `x-${index}`);
  const units = [
    "a",
    "a.",
    "a@",
    "/",
    "a/",
    "<a",
    "<",
    "[A",
    "`",
    "-",
    "- ",
    " ",
    "\n",
    " \n",
    "{",
    "&#",
    "A_",
    "$A",
    "%A",
    "x-",
    "а",
    "\u200b",
    "~",
    "#",
    "://",
    "a://",
    "aB",
    "a_",
    "a0",
    "[:",
    "System:",
    ". ",
  ];
  const timeOf = (unit: string, size: number): number => {
    const text = unit.repeat(size / unit.length);
    const start = process.cpuUsage();
    proseSignals("", text, { names });
    proseSignals("", `${text}!`, { names });
    const { user, system } = process.cpuUsage(start);
    return Math.max(1000, user + system);
  };
  // Quadratic time would take a hundred times as long. Processor time, in microseconds, is measured so that other
  // programs do not count.
  const isLinear = (unit: string): boolean => timeOf(unit, factor * length) < 3 * factor * timeOf(unit, length);
  const quadratic = units.filter((unit) => !Array.from({ length: 20 }).some(() => isLinear(unit)));
  expect(quadratic).toEqual([]);
});

test("a run of letters that no expression can read at once hides no name behind it", () => {
  const signals = proseSignals("", `${"я".repeat(6_000_000)} send_mail`, { names: NAMES, words: false });
  expect(signals).toContainEqual({ signal: "name", text: "send_mail" });
});

test("a name is found on each side of the places where a long text is cut", () => {
  for (let at = 262_130; at < 262_150; at++) {
    const signals = proseSignals("", `${" ".repeat(at)}send_mail`, { names: NAMES, words: false });
    expect(signals).toContainEqual({ signal: "name", text: "send_mail" });
  }
});
