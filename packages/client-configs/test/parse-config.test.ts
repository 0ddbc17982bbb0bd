import { readFileSync } from "node:fs";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CLIENTS } from "../src/client-table.ts";
import { entriesAt, membersWithServers, requireMembersWithServers } from "../src/configured-servers.ts";
import { ClientConfigError } from "../src/errors.ts";
import { MAX_CONFIG_BYTES, maxConfigBytes, parseConfig, parseConfigBytes, textOfFile } from "../src/parse-config.ts";
import { plainValue } from "../src/parsed-config.ts";

test("marks disabled servers and servers built into the client", async () => {
  const states = async (file: string, ...member: string[]): Promise<string[]> => {
    const config = await parseConfig(readFileSync(new URL(`files/${file}`, import.meta.url), "utf8"), file);
    return entriesAt(config, member).map(({ name, state }) => `${name} ${state}`);
  };
  expect(await states("goose.yaml", "extensions")).toEqual(["developer built-in", "charts on", "off off", "tides on"]);
  expect(await states("gemini.json", "mcpServers")).toEqual(["charts on", "old off", "tides on"]);
  expect(await states("claude-code.json", "projects", "/srv/harbour", "mcpServers")).toEqual(["berths on"]);
  expect(await states("claude-code.json", "projects", "/elsewhere", "mcpServers")).toEqual([]);
});

test("keeps a byte order mark before the text", async () => {
  const bytes = new TextEncoder().encode('\ufeff{"mcpServers":{}}');
  const config = await parseConfigBytes(bytes, "c.json");
  expect(config).toMatchObject({ format: "jsonc", hasMark: true, text: '{"mcpServers":{}}' });
  expect(new TextEncoder().encode(textOfFile(config))).toEqual(bytes);
});

test("limits what it reads by the format of a file", () => {
  expect(maxConfigBytes("c.YML")).toBe(maxConfigBytes("c.toml"));
  expect(maxConfigBytes("c.json")).toBe(MAX_CONFIG_BYTES);
});

test("reads arrays and dotted keys of TOML, numbers and lists of YAML", async () => {
  const toml = await parseConfig("a.b = [1, {c = 1979-05-27}]\n[[d]]\ne = true\n[[d]]\nf = 2\n", "c.toml");
  expect(plainValue(toml, toml.root)).toEqual({ a: { b: [1, { c: "1979-05-27" }] }, d: [{ e: true }, { f: 2 }] });
  const yaml = await parseConfig("a: [1, 2.5, ~]\n? [b]\n: c\n!!binary d: !!timestamp 2001-12-14\n", "c.yaml");
  expect(plainValue(yaml, yaml.root)).toMatchObject({ a: [1, 2.5, null] });
});

test("a list in place of servers is a list of named entries, and null has none", async () => {
  const config = await parseConfig("mcpServers:\n  - name: a\n    command: x\nservers:\n", "c.yaml");
  expect(entriesAt(config, ["mcpServers"])).toMatchObject([{ name: "a", path: ["mcpServers", 0], state: "on" }]);
  expect(entriesAt(config, ["servers"])).toEqual([]);
  expect(entriesAt(config, ["absent"])).toEqual([]);
  expect(membersWithServers(config)).toEqual(["mcpServers"]);
});

test.each([
  ['{"servers": {"a": {}}, "mcpServers": {}}', ["mcpServers", "servers"]],
  ['{"mcp.servers": {"a": {"command": "x"}}, "mcp": {"servers": {}}}', ["mcp", "mcp.servers"]],
  ['{"mcp.servers": {}}', ["mcp.servers"]],
  ['{"mcpServers": {"a": {}}, "mcp": {"excluded": ["a"]}, "extensions": {"disabled": []}}', ["mcpServers"]],
  ['{"mcp": {"excluded": []}}', ["mcp"]],
])("the members with servers of %s", async (text, members) => {
  expect(membersWithServers(await parseConfig(text, "c.json"))).toEqual(members);
});

describe("a faulty configuration", () => {
  test.each([
    ["no TOML", "c.toml", 'a = 1\nb = "x', "c.toml:2:"],
    ["a key of TOML twice", "c.toml", "[mcp_servers.a]\n[mcp_servers.a]\n", "c.toml:2:"],
    ["no YAML", "c.yaml", "a: [1,\nb: 'x", "c.yaml:2:"],
    ["a name of YAML twice", "c.yaml", "extensions:\n  a: {cmd: x}\n  a: {cmd: y}\n", "c.yaml:3:3"],
    ["an alias", "c.yaml", "x: &x {cmd: x}\nextensions:\n  a: *x\n", "c.yaml:3:6"],
    ["an item without a name", "c.yaml", "mcpServers:\n  - command: x\n", "mcpServers.0"],
    ["deep JSON", "c.json", `{"mcpServers":${"[".repeat(200_000)}`, "nested too deeply"],
    ["deep YAML", "c.yaml", "[".repeat(20_000), "c.yaml"],
    ["deep TOML", "c.toml", `a = ${"[".repeat(20_000)}${"]".repeat(20_000)}`, "nested too deeply"],
    ["servers that are a text", "c.json", '{"mcpServers":"x"}', "mcpServers is not an object"],
    ["bytes that are not UTF-8", "c.json", "\ud800", "c.json is not UTF-8"],
    ["a name with a lone surrogate", "c.json", '{"mcpServers":{"\\ud800":{}}}', "c.json:1:16"],
    ["nothing", "c.json", "", "c.json:1:1"],
  ])("%s is an error with its place", async (_, file, text, place) => {
    const bytes = text === "\ud800" ? Uint8Array.of(0xff) : new TextEncoder().encode(text);
    const read = async (): Promise<unknown> => {
      const config = await parseConfigBytes(bytes, file);
      return membersWithServers(config).map((member) => entriesAt(config, [member]));
    };
    const error = await read().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ClientConfigError);
    const { code, message, details } = error as ClientConfigError;
    expect(code).toBe("invalid-config");
    expect(`${details.where} ${message}`).toContain(place);
    expect(details.expected).toBeDefined();
  });

  test("no file writes into a prototype", async () => {
    const names = ["[__proto__]\npolluted = 1", "[mcp_servers.__proto__]\npolluted = 1", '"__proto__".polluted = 1'];
    for (const text of names) await parseConfig(text, "c.toml");
    await parseConfig("__proto__: { polluted: 1 }", "c.yaml");
    await parseConfig('{"__proto__":{"polluted":1}}', "c.json");
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    const config = await parseConfig("[mcp_servers.a.__proto__]\npolluted = 1", "c.toml");
    expect(() => entriesAt(config, ["mcp_servers"])).toThrow("__proto__ cannot be a name");
  });

  test("any text is a configuration or an invalid-config", async () => {
    const pieces = [
      "[",
      "]",
      "{",
      "}",
      "a",
      "=",
      ":",
      ",",
      "-",
      "\n",
      "  ",
      '"',
      "'",
      "#",
      "&a",
      "*a",
      "!!x",
      "\\",
      "1",
      "|",
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((parts) => parts.join("")),
        fc.constantFrom("c.json", "c.toml", "c.yaml"),
        async (text, file) => {
          const outcome = await parseConfig(text, file).catch((error: unknown) => error);
          expect(outcome).toSatisfy((it: { code?: string }) => !(it instanceof Error) || it.code === "invalid-config");
        },
      ),
      { numRuns: runs(500) },
    );
  });
});

describe("a file that a person named", () => {
  const members = CLIENTS.flatMap(({ files }) => files.map(({ member }) => String(member.at(-1))));

  test.each([...new Set(members)])("has servers below %s, although it has none yet", async (member) => {
    for (const empty of [{}, []]) {
      const config = await parseConfig(JSON.stringify({ theme: "dark", [member]: empty }), "any.json");
      expect(requireMembersWithServers(config)).toEqual([member]);
    }
  });

  test.each(["{}", "[]", "1", '{"mcpservers":{}}', '{"theme":{"mcpServers":{}}}'])("is refused as %s", async (text) => {
    const config = await parseConfig(text, "any.json");
    expect(() => requireMembersWithServers(config)).toThrow(
      expect.objectContaining({
        code: "invalid-config",
        message: expect.stringContaining("expected one of the members mcpServers, servers, context_servers"),
        details: expect.objectContaining({ where: "any.json" }),
      }),
    );
  });
});

test("Entries next to `mcp.servers` are read when they launch something", async () => {
  const entry = { type: "local", command: ["node", "a.js"] };
  const namesOf = async (mcp: string): Promise<string[]> =>
    entriesAt(await parseConfig(`{"mcp": ${mcp}}`, "opencode.json"), ["mcp"]).map(({ path }) => path.join("."));
  const beside = { servers: { a: entry }, b: entry, c: { type: "remote", url: "https://c.example" }, a: entry };
  expect(await namesOf(JSON.stringify(beside))).toEqual(["mcp.servers.a", "mcp.b", "mcp.c", "mcp.a"]);
  const options = { timeout: 5, inputs: [{ id: "k" }], off: { enabled: false }, empty: { command: "" }, none: null };
  expect(await namesOf(JSON.stringify({ servers: {}, ...options }))).toEqual([]);
  const text = JSON.stringify(entry);
  await expect(namesOf(`{"servers": {}, "b": ${text}, "b": ${text}}`)).rejects.toThrow('"b" is used for two members');
  await expect(namesOf(`{"servers": {}, "__proto__": ${text}}`)).rejects.toThrow("__proto__ cannot be a name");
});
