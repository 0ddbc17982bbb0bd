import { expect, test } from "vitest";
import { commandsOfEntry, commandsOfFile, parseConfig } from "../src/index.ts";

const configOf = (value: unknown) => parseConfig(JSON.stringify(value), "settings.json");

test.each([
  [{ url: "https://x", headersHelper: "./token.sh" }, ["./token.sh"]],
  [{ command: "x", dev: { debug: { type: "debugpy", debugpyPath: "./other" } } }, ["./other"]],
  [{ headersHelper: ["a", "b"] }, [["a", "b"]]],
  [{ headersHelper: "" }, []],
  [{ headersHelper: null, dev: { watch: "src" } }, []],
  ["no entry", []],
])("the commands of the entry %j", async (entry, expected) => {
  const config = await configOf({ mcpServers: { one: entry } });
  const found = commandsOfEntry(config, ["mcpServers", "one"]);
  expect(found.map(({ value }) => value)).toEqual(expected);
  for (const { start, path } of found) {
    expect(config.text.slice(start)).toMatch(/^["[]/);
    expect(path.slice(0, 2)).toEqual(["mcpServers", "one"]);
  }
});

test("the texts that Crush gives to a shell are commands of its entries alone", async () => {
  const entry = { command: "x", args: ["-k", "$(cat key)"], env: { A: "`id`", B: "$B", C: 1 }, disabled: false };
  const text = JSON.stringify({ mcp: { one: entry } });
  const found = commandsOfEntry(await parseConfig(text, "crush.json"), ["mcp", "one"]);
  expect(found.map(({ path, value }) => [path.slice(2).join("."), value])).toEqual([
    ["args.1", "$(cat key)"],
    ["env.A", "`id`"],
  ]);
  expect(commandsOfEntry(await parseConfig(text, "opencode.json"), ["mcp", "one"])).toEqual([]);
  expect(commandsOfEntry(await parseConfig(text, "crush.json"), ["mcp", "two"])).toEqual([]);
});

test("the commands of a file are those that its client reads", async () => {
  const input = { id: "a", type: "command", command: "shell.run" };
  const config = await configOf({
    mcp: { serverCommand: "a", allowed: [] },
    tools: { discoveryCommand: "b", callCommand: "c" },
    mcpServerCommand: "d",
    inputs: [{ id: "b", type: "promptString" }, input],
  });
  const values = (client?: Parameters<typeof commandsOfFile>[1]): unknown[] =>
    commandsOfFile(config, client).map(({ value }) => value);
  expect(values({ id: "gemini" })).toEqual(["a", "b", "c", "d"]);
  expect(values({ id: "qwen" })).toEqual(["a", "b", "c", "d"]);
  expect(values({ id: "vscode" })).toEqual([input]);
  expect(values({ id: "cursor" })).toEqual([]);
  expect(values()).toEqual(["a", "b", "c", "d", input]);
  expect(commandsOfFile(await configOf({ inputs: {} }), undefined)).toEqual([]);
});
