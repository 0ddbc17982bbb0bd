import { expect, test } from "vitest";
import { hostile } from "../support/hostile.ts";
import { projectAndHome } from "../support/project-and-home.ts";

const world = projectAndHome();
const [command, ...args] = hostile("terminal-escapes");
const ENTRY = { command, args };
const OTHER = { command, args: [...args, "--more"] };
const names = (): string[] => world.workspace.lock().servers.map(({ name }) => name);

test.each<[string, object]>([
  ["servers next to mcpServers", { mcpServers: { one: ENTRY }, servers: { two: OTHER } }],
  ["entries next to mcp.servers", { mcp: { servers: { one: ENTRY }, two: OTHER } }],
  ["one name for both", { mcp: { servers: { one: ENTRY } }, "mcp.servers": { two: OTHER } }],
  ["one server twice", { mcpServers: { one: ENTRY, two: OTHER }, servers: { one: ENTRY } }],
  ["lists of names below mcp", { mcpServers: { one: ENTRY, two: OTHER }, mcp: { excluded: ["three"] } }],
])("every command reads a named file with %s", async (_, config) => {
  world.write("named.json", config);
  const pinned = await world.run(["pin", "--mcp-config", "named.json"]);
  expect(pinned.code, pinned.stderr).toBe(0);
  expect(names()).toEqual(["one", "two"]);
  expect(await world.run(["check", "--mcp-config", "named.json"])).toMatchObject({ code: 0 });
});

test.each([
  ["/mcpServers/a", "/servers/a", { mcpServers: { a: ENTRY, b: ENTRY }, servers: { a: OTHER } }],
  ["/mcp/servers/a", "/mcp/a", { mcp: { servers: { a: ENTRY, b: ENTRY }, a: OTHER } }],
  ["/mcp/a", "/mcp.servers/a", { mcp: { a: ENTRY, b: ENTRY }, "mcp.servers": { a: OTHER } }],
])("one name with two launches is an error of %s and %s", async (first, second, config) => {
  world.write("named.json", config);
  const { code, stderr } = await world.run(["pin", "--mcp-config", "named.json"]);
  expect(code).toBe(2);
  expect(stderr).toContain(`${first} and ${second} of named.json launch a differently`);
  expect(stderr).toContain("invalid-config");
  expect(() => names()).toThrow("ENOENT");

  const going = await world.run(["pin", "--keep-going", "--mcp-config", "named.json"]);
  expect(going.code, going.stderr).toBe(2);
  expect(names()).toEqual(["b"]);
});

test("a disabled entry does not conflict with the other one", async () => {
  world.write("named.json", { mcpServers: { a: { ...OTHER, disabled: true } }, servers: { a: ENTRY } });
  expect(await world.run(["pin", "--mcp-config", "named.json"])).toMatchObject({ code: 0 });
});
