import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { projectAndHome } from "../support/project-and-home.ts";
import { toolsServer } from "../support/tools-server.ts";

const { write, run, workspace } = pinned();

/** Sets up a project whose lock pins one server. */
function pinned() {
  const world = projectAndHome();
  return {
    write: world.write,
    workspace: () => world.workspace,
    run: async (args: readonly string[]) => {
      const server = toolsServer([{ name: "a", inputSchema: { type: "object" } }]);
      writeFileSync(world.workspace.path("server.js"), server);
      expect(await world.run(["pin", "--name", "one", "--", "node", "server.js"])).toMatchObject({ code: 0 });
      return world.run(args);
    },
  };
}

/** Every command that takes a configuration, with its exit code for a configuration without servers. */
const COMMANDS: readonly (readonly [code: number, command: readonly string[]])[] = [
  // These commands need a server.
  [2, ["pin", "--mcp-config"]],
  [2, ["pin", "--keep-going", "--mcp-config"]],
  [2, ["manifest", "from-mcp", "--mcp-config"]],
  [0, ["init", "--yes", "--ci", "none", "--mcp-config"]],
  [0, ["check", "--mcp-config"]],
  [0, ["approve", "--all", "--mcp-config"]],
  [0, ["doctor", "--mcp-config"]],
  [0, ["status", "--mcp-config"]],
  [0, ["wrap", "--mcp-config"]],
  [0, ["wrap", "--config"]],
  [0, ["unwrap", "--mcp-config"]],
  [0, ["unwrap", "--config"]],
];
const NOT_A_CONFIG = "expected one of the members mcpServers, servers, context_servers, mcp_servers, mcp,";

describe.each(COMMANDS)("exit code %d of an empty list: %j", (code, command) => {
  test.each(["{}", '{"mcpservers":{}}'])("%s is not a configuration", async (text) => {
    write("named.json", text);
    const { code, stderr, stdout } = await run([...command, "named.json"]);
    const said = stderr + stdout;
    expect(said).toContain(NOT_A_CONFIG);
    expect(said).toContain("named.json");
    expect(code).toBe(2);
  });

  test.each([
    ["named.json", '{"mcpServers":{}}'],
    ["named.yaml", "servers: []\n"],
  ])("%s with %s is a configuration", async (file, text) => {
    write(file, text);
    const found = await run([...command, file]);
    expect(found.stderr).not.toContain("not a configuration");
    expect(found.code, found.stdout + found.stderr).toBe(code);
  });
});

test.each([
  [2, "{}"],
  [0, '{"mcpServers":{}}'],
])("exit code %d of status: the settings of the project list a file with %s", async (code, text) => {
  write("agentprint.config.json", { configurations: ["sub/mcp.json"] });
  write("sub/mcp.json", text);
  const { stderr, ...found } = await run(["status"]);
  expect(found.code, stderr).toBe(code);
  expect(stderr.includes(NOT_A_CONFIG)).toBe(code === 2);
  expect(workspace().lock().servers).toHaveLength(1);
});
