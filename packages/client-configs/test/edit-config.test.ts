import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { JsonValue } from "@agentprint/canonical-json/json-value";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ConfigPath } from "../src/config-node.ts";
import { entriesAt, membersWithServers } from "../src/configured-servers.ts";
import { addMember, removeMember, replaceText } from "../src/edit-config.ts";
import { ClientConfigError } from "../src/errors.ts";
import { parseConfig } from "../src/parse-config.ts";
import { nodeAt, type ParsedConfig, plainValue } from "../src/parsed-config.ts";

const FILES = fileURLToPath(new URL("files/", import.meta.url));
const texts = readdirSync(FILES).map((file) => [file, readFileSync(FILES + file, "utf8")] as const);

/** Each file unchanged, with Windows line breaks, and without the last line break. */
const variants = texts.flatMap(([file, text]) => [
  [file, text] as const,
  [file, text.replaceAll("\n", "\r\n")] as const,
  [file, text.trimEnd()] as const,
]);

async function serversOf(text: string, file: string): Promise<{ config: ParsedConfig; member: string }> {
  const config = await parseConfig(text, file);
  const [member = ""] = membersWithServers(config);
  return { config, member };
}

const words = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom(
    "-y",
    "true",
    "1",
    "a: b",
    "# no comment",
    "\u007f\u0085",
    "'",
    '"',
    "\\",
    "\n",
    "$".concat("{A}"),
    "",
  ),
);
const server = fc.record({ command: words, args: fc.array(words, { maxLength: 3 }) });
const name = words.filter((word) => word !== "__proto__");

describe("an edit of a configuration", () => {
  test("that adds a member only adds bytes, and removing the member takes them away again", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...variants), name, server, async ([file, text], added, value) => {
        const { config, member } = await serversOf(text, file);
        const node = nodeAt(config, [member]);
        const entry = entriesAt(config, [member])[0];
        // A list's entries have no names, so a member of the first entry is added there.
        const path = node?.kind === "list" ? [...(entry?.path ?? []), added] : [member, added];
        fc.pre(nodeAt(config, path) === undefined);
        const more = await addMember(config, path, value);
        expect(plainValue(more, nodeAt(more, path) ?? more.root)).toEqual(value);
        expect(isWithin(text, more.text)).toBe(true);
        expect((await removeMember(more, path)).text).toBe(text);
      }),
      { numRuns: runs(150) },
    );
  });

  test.each(variants)("that replaces a text in %s changes no other byte (%#)", async (file, text) => {
    const { config, member } = await serversOf(text, file);
    for (const { path } of entriesAt(config, [member])) {
      for (const step of ["command", "cmd", "url", "uri"]) {
        const node = nodeAt(config, [...path, step]);
        if (node?.kind !== "scalar") continue;
        const edited = await replaceText(config, [...path, step], "npx now: 'it'");
        expect(edited.text.startsWith(text.slice(0, node.start))).toBe(true);
        expect(edited.text.endsWith(text.slice(node.end))).toBe(true);
        expect(nodeAt(edited, [...path, step])).toMatchObject({ value: "npx now: 'it'" });
      }
    }
  });

  test.each(texts)("that removes a server of %s leaves the others and every comment", async (file, text) => {
    const comments = (of: string): string[] => of.match(/(?:\/\/ |# |\/\* ).*/g) ?? [];
    const { config, member } = await serversOf(text, file);
    const names = entriesAt(config, [member]).map((entry) => entry.name);
    if (nodeAt(config, [member])?.kind === "list") return;
    for (const { path, name: removed } of entriesAt(config, [member])) {
      if (path.length > 2) continue;
      const node = nodeAt(config, path);
      const less = await removeMember(config, path);
      expect(entriesAt(less, [member]).map((entry) => entry.name)).toEqual(names.filter((each) => each !== removed));
      const own = text.slice(node?.start, (node?.end ?? 0) + 100);
      for (const comment of comments(text)) if (!own.includes(comment)) expect(less.text).toContain(comment);
    }
  });

  test.each([
    ["an empty object", "c.json", "{}", ["mcpServers", "a"], '{"mcpServers": {"a":{"command":"x"}}}'],
    [
      "an object of lines, after a trailing comma and a comment",
      "c.json",
      '{\n\t"mcpServers": {\n\t\t"b": {}, // the b\n\t},\n}\n',
      ["mcpServers", "a"],
      '{\n\t"mcpServers": {\n\t\t"b": {},\n\t\t"a": {\n\t\t\t"command": "x"\n\t\t}, // the b\n\t},\n}\n',
    ],
    ["an empty TOML", "c.toml", "", ["mcp_servers", "a"], '[mcp_servers.a]\ncommand = "x"\n'],
    [
      "tables of TOML",
      "c.toml",
      "[mcp_servers.b]\n# none\n",
      ["mcp_servers", "a b"],
      '[mcp_servers.b]\n# none\n\n[mcp_servers."a b"]\ncommand = "x"\n',
    ],
    [
      "an object of YAML",
      "c.yaml",
      "extensions:\n    b:\n        cmd: y # why\n\n# end\n",
      ["extensions", "a"],
      "extensions:\n    b:\n        cmd: y # why\n    a:\n      command: x\n\n# end\n",
    ],
  ] as const)("writes into %s as people do", async (_, file, text, path, expected) => {
    const edited = await addMember(await parseConfig(text, file), path, { command: "x" });
    expect(edited.text).toBe(expected);
  });

  test.each<[string, string, string, ConfigPath, JsonValue, string]>([
    [
      "a line with a list below the lines of a table of TOML",
      "c.toml",
      "[s.a]\nx = 1 # one\n[s.a.env]\nB = 1\n",
      ["s", "a", "args"],
      ["-y", { "a b": [1] }, {}],
      '[s.a]\nx = 1 # one\nargs = ["-y", { "a b" = [1] }, {}]\n[s.a.env]\nB = 1\n',
    ],
    [
      "a member between the brackets of TOML",
      "c.toml",
      "s = { a = { x = 1 } }\n",
      ["s", "a", "y"],
      true,
      "s = { a = { x = 1, y = true } }\n",
    ],
    [
      "the text after the last line of an open file",
      "c.toml",
      "[s.a]\nx = 1",
      ["s", "a", "y"],
      2,
      "[s.a]\nx = 1\ny = 2",
    ],
  ])("adds %s", async (_, file, text, path, value, expected) => {
    const edited = await addMember(await parseConfig(text, file), path, value);
    expect(edited.text).toBe(expected);
    expect((await removeMember(edited, path)).text).toBe(text);
  });

  test("refuses what is no text, no member, or no object", async () => {
    const config = await parseConfig('{"a":{"b":1},"c":null}', "c.json");
    await expect(replaceText(config, ["a", "b"], "x")).rejects.toThrow("cannot be edited at a.b");
    await expect(replaceText(config, ["d"], "x")).rejects.toThrow("cannot be edited at d");
    await expect(removeMember(config, ["a", "c"])).rejects.toThrow("cannot be edited at a.c");
    await expect(removeMember(config, ["c", "d"])).rejects.toThrow("cannot be edited at c.d");
    await expect(addMember(config, ["c", "d"], "x")).rejects.toThrow("cannot be edited at c.d");
    const listed = await parseConfig("? [a]\n: b\n", "c.yaml");
    await expect(addMember(listed, ["c"], "x")).rejects.toThrow("cannot be edited at c");
    const error = await replaceText(config, ["a"], "x").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ClientConfigError);
    expect(error).toMatchObject({ code: "invalid-config", details: { fix: "make this edit by hand" } });
  });

  test("keeps a text of YAML without quotes where it needs none, and a block ends with its line", async () => {
    const text = "a: npx\nb: |\n  npx\nc: 1\n";
    const plain = await replaceText(await parseConfig(text, "c.yaml"), ["a"], "uvx");
    expect((await replaceText(plain, ["b"], "u vx")).text).toBe('a: uvx\nb: "u vx"\nc: 1\n');
  });

  test.each([
    ["a member that is there", "c.json", '{"a":{"b":1}}', ["a", "b"]],
    ["a member of a text", "c.json", '{"a":"b"}', ["a", "b"]],
    ["a name that Unicode does not have, in TOML", "c.toml", "", ["a", "\ud800"]],
  ] as const)("refuses to add %s", async (_, file, text, path) => {
    const config = await parseConfig(text, file);
    await expect(addMember(config, path, { x: "1" })).rejects.toThrow(`${file} cannot be edited at`);
  });

  test("keeps a comment that ends before the member, with its line break", async () => {
    const config = await parseConfig('{\n  "a": 1, // the a\n  "b": 2\n}', "c.json");
    expect((await removeMember(config, ["b"])).text).toBe('{\n  "a": 1 // the a\n}');
    const only = await parseConfig('{ // none\n  "b": 2 }', "c.json");
    expect((await removeMember(only, ["b"])).text).toBe("{ // none\n }");
  });

  test("refuses an edit that would remove another member", async () => {
    const scattered = await parseConfig("[a.b]\nx = 1\n[c]\ny = 1\n[a.b.d]\nz = 1\n", "c.toml");
    await expect(removeMember(scattered, ["a", "b"])).rejects.toThrow("cannot be edited at a.b");
    const listed = await parseConfig("l:\n  - name: a\n    cmd: b\n", "c.yaml");
    await expect(removeMember(listed, ["l", 0, "name"])).rejects.toThrow("cannot be edited at l.0.name");
  });
});

/** Reports whether inserting one piece turns a text into another. */
function isWithin(text: string, longer: string): boolean {
  let start = 0;
  while (start < text.length && text[start] === longer[start]) start++;
  return longer.endsWith(text.slice(start));
}
