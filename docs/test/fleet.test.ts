import { blocksOf } from "@agentprint/testing/markdown/code-blocks";
import { expect, test } from "vitest";
import { guardOfCommand } from "../../apps/cli/src/clients/guarded-launch.ts";
import { parseConfig, plainValue } from "../../packages/client-configs/src/index.ts";

interface Launch {
  readonly command: string;
  readonly args?: readonly string[];
}

interface Settings {
  readonly mcpServers: Readonly<Record<string, Launch>>;
  readonly allowedMcpServers: readonly { readonly serverCommand: readonly string[] }[];
  readonly mcp: { readonly allowed: readonly string[] };
  readonly mcp_servers: Readonly<Record<string, Launch & { readonly identity: Launch }>>;
}

const FILES = new Map(blocksOf("docs/fleet.md").map(({ file, code }) => [file, code]));
const SCRIPT = "/opt/agentprint/files";

async function settingsIn(file: string): Promise<Settings> {
  const config = await parseConfig(FILES.get(file) ?? "", file);
  return plainValue(config, config.root) as Settings;
}

test("every file has a name, and every command is a guard as wrap writes it", async () => {
  expect(FILES).not.toContain("");
  const managed = await settingsIn("/etc/claude-code/managed-mcp.json");
  const listed = await settingsIn("/etc/claude-code/managed-settings.json");
  const gemini = await settingsIn("/etc/gemini-cli/settings.json");
  const [, words = ""] = /^#!\/bin\/sh\nexec (.+)\n$/.exec(FILES.get(SCRIPT) ?? "") ?? [];
  const commands = [
    ...[managed, gemini].flatMap(({ mcpServers }) =>
      Object.values(mcpServers).map(({ command, args = [] }) => [command, ...args]),
    ),
    ...listed.allowedMcpServers.map(({ serverCommand }) => serverCommand),
    words.split(" "),
  ];
  expect(commands).toHaveLength(4);
  for (const command of commands) {
    expect(command).toEqual(commands[0]);
    expect(guardOfCommand(command)).toMatchObject({ server: "files", lock: "/etc/agentprint/agentprint.lock" });
  }
  expect(gemini.mcp.allowed).toEqual(Object.keys(gemini.mcpServers));
});

test("what Codex compares is the program with the guard, and what it starts is the same", async () => {
  const { mcp_servers: required } = await settingsIn("/etc/codex/requirements.toml");
  const { mcp_servers: started } = await settingsIn("/etc/codex/config.toml");
  expect(required).toEqual({ files: { identity: { command: SCRIPT } } });
  expect(started).toEqual({ files: { command: SCRIPT } });
});
