import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readFrontmatter } from "../src/frontmatter.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (yaml: string) => readFrontmatter(bytes(`---\n${yaml}\n---\nText.\n`));

describe("the allowed tools of a frontmatter", () => {
  test.each([
    ["allowed-tools: Read Write", ["Read", "Write"]],
    ["allowed-tools: Write, Read", ["Read", "Write"]],
    ["allowed-tools: Bash(git add:*), Bash(git status:*)", ["Bash(git add:*)", "Bash(git status:*)"]],
    ["allowed-tools: [Read, 'Bash(npm run *)']", ["Bash(npm run *)", "Read"]],
    ["allowed-tools:\n  - Read\n  - Grep", ["Grep", "Read"]],
    ["allowed-tools: >-\n  Read\n  Grep", ["Grep", "Read"]],
    ['"allowed-tools": "Read"', ["Read"]],
    ["allowed-tools:", []],
    ["name: a", []],
    ["", []],
    ["# a comment", []],
    ["allowed-tools: Read\nallowed-tools: Bash", ["Bash", "Read"]],
    ["allowed-tools: Bash( Read", ["Bash(", "Read"]],
    ["? [a, b]\n: c\nallowed-tools: Read", ["Read"]],
  ])("%j", (yaml, allowedTools) => {
    expect(read(yaml).allowedTools).toEqual(allowedTools);
  });

  test.each([
    ["a description with a colon", "description: Use when: always\nallowed-tools: Bash"],
    ["an alias", "a: &a Bash\nallowed-tools: *a"],
    ["an alias as key", "a: &a allowed-tools\n*a : Bash"],
    ["an alias as key, next to the member", "a: &a allowed-tools\nallowed-tools: Read\n*a : Bash"],
    ["a merge key", "<<: { allowed-tools: Bash }"],
    ["a merge key with an alias", "a: &a { allowed-tools: Bash }\n<<: *a\nallowed-tools: Read"],
    ["a merge key with a list", "a: &a { allowed-tools: Bash }\n<<: [*a]"],
    ["a merge key in quotes", '"<<": { allowed-tools: Bash }'],
    ["a merge key with a tag", "a: &a { allowed-tools: Bash }\n!!merge <<: *a"],
    ["a key in Base64", "!!binary YWxsb3dlZC10b29scw==: Bash"],
    ["a key with a tag", "!x allowed-tools: Bash"],
    ["a text in Base64", "allowed-tools: !!binary QmFzaA=="],
    ["a text in Base64 in a list", "allowed-tools: [!!binary QmFzaA==]"],
    ["a list with a tag", "allowed-tools: !!omap [Bash: 1]"],
    ["a set of tools", "allowed-tools: !!set { Bash }"],
    ["an object with a tag", "!!set\n? allowed-tools"],
    ["a directive", "%TAG ! tag:yaml.org,2002:\n"],
    ["a line end of YAML 1.1", "description: a\u2028allowed-tools: Bash"],
    ["a line end that is a control character", "description: a\u0085allowed-tools: Bash"],
    ["a line end of old systems", "description: a\rallowed-tools: Bash"],
    ["an alias in a list", "a: &a Bash\nallowed-tools: [*a]"],
    ["an object", "allowed-tools: { Bash: true }"],
    ["a number", "allowed-tools: 7"],
    ["a list", "- allowed-tools"],
    ["lists in lists that never end", `a: ${"[".repeat(30_000)}`],
    ["objects in objects", `${"{a: ".repeat(6000)}x${"}".repeat(6000)}`],
    ["a frontmatter that is too long", `a: ${"x".repeat(40_000)}`],
  ])("cannot be read of %s", (_, yaml) => {
    expect(read(yaml)).toEqual({});
  });

  test("cannot be read of bytes that are no UTF-8", () => {
    expect(readFrontmatter(Uint8Array.of(0x2d, 0x2d, 0x2d, 0x0a, 0xff))).toEqual({});
  });

  test.each(["Text.", "", "---\nallowed-tools: Bash", "--- x\nallowed-tools: Bash\n---\n", "\n---\nname: a\n---\n"])(
    "are none where there is no frontmatter: %j",
    (text) => {
      expect(readFrontmatter(bytes(text))).toEqual({ allowedTools: [] });
    },
  );

  test("are read with line ends of Windows and a byte order mark", () => {
    const text = "\uFEFF---\r\nname: pdf\r\nallowed-tools: Read\r\n---\r\nText.\r\n";
    expect(readFrontmatter(bytes(text))).toEqual({ name: "pdf", allowedTools: ["Read"] });
  });

  test("are those of any list of plain names", () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[A-Z][a-z]{0,8}$/), { maxLength: 6 });
    fc.assert(
      fc.property(names, fc.constantFrom(" ", ", ", ",", "  "), (tools, between) => {
        const expected = [...tools].sort();
        expect(read(`allowed-tools: "${tools.join(between)}"`).allowedTools).toEqual(expected);
        expect(read(`allowed-tools: ${JSON.stringify(tools)}`).allowedTools).toEqual(expected);
      }),
    );
  });

  test("never crash on any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (noise, isFramed) => {
        const framed = [...bytes("---\n"), ...noise, ...bytes("\n---\n")];
        const { allowedTools = [] } = readFrontmatter(isFramed ? Uint8Array.from(framed) : noise);
        expect(allowedTools.every((tool) => typeof tool === "string")).toBe(true);
      }),
    );
  });
});
