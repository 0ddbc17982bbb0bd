import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { CLIENTS } from "@agentprint/client-configs";
import { runBeside } from "@agentprint/testing/programs";
import { describe, expect, test } from "vitest";
import { INITIALIZE } from "../guard/guarded.ts";
import { STATE } from "../support/run-cli.ts";
import { AGENTPRINT } from "../support/spawn-cli.ts";
import { toolsServer } from "../support/tools-server.ts";
import { Workspace } from "../support/workspace.ts";

/** How a client starts a server, according to its documentation. */
interface Start {
  readonly file: string;
  /** The configuration; `@` is the project's absolute path. */
  readonly text: string;
  /** The words after the guard as they arrive, with `@` for the project and `~` for the home folder. */
  readonly came: readonly string[];
  /** The folder in which the server is started. Default: the project's. */
  readonly folder?: "/" | "sub" | "home";
  /** The values of the entry's variables. */
  readonly env?: Readonly<Record<string, string>>;
}

const json = (member: string, server: object, beside: object = {}): string =>
  JSON.stringify({ ...beside, [member]: { s: server } });
const entry = (args: readonly string[], more: object = {}) => ({ command: "node", args, ...more });

/** How each client starts a server. If a page names no folder, the home folder is assumed. */
const STARTS: Readonly<Record<string, Start>> = {
  "claude-code": {
    file: ".mcp.json",
    text: json("mcpServers", entry(["server.js", `--at=\${API:-https://a.example}/v1`, `\${NAME}`])),
    came: ["node", "server.js", "--at=https://b.example/v1", "one"],
  },
  "claude-desktop": {
    file: "claude_desktop_config.json",
    text: json("mcpServers", entry(["@/server.js", "x"])),
    came: ["node", "@/server.js", "x"],
    // https://modelcontextprotocol.io/docs/tools/debugging: the folder may be / on macOS, and few variables are inherited.
    folder: "/",
  },
  cursor: {
    file: ".cursor/mcp.json",
    text: json("mcpServers", entry([`\${workspaceFolder}\${/}server.js`, `\${userHome}`, `\${env:NAME}`, `\${KEY}`])),
    came: ["node", "@/server.js", "~", "one", `\${KEY}`],
    folder: "home",
  },
  vscode: {
    file: ".vscode/mcp.json",
    text: json(
      "servers",
      entry([`\${workspaceFolder}/server.js`, "--key", `\${input:key}`, `\${env:NAME}`], {
        type: "stdio",
        cwd: `\${workspaceFolder}/sub`,
        env: { TOKEN: `\${input:key}` },
      }),
      { inputs: [{ id: "key", type: "promptString", password: true }] },
    ),
    came: ["node", "@/server.js", "--key", "a key of words", "one"],
    folder: "sub",
    env: { TOKEN: "a key of words" },
  },
  windsurf: {
    file: ".codeium/windsurf/mcp_config.json",
    text: json("mcpServers", entry(["@/server.js", `\${env:NAME}`])),
    came: ["node", "@/server.js", "one"],
    folder: "home",
  },
  zed: {
    file: ".zed/settings.json",
    text: json("context_servers", entry(["server.js", "$NAME"])),
    came: ["node", "server.js", "$NAME"],
  },
  codex: {
    file: ".codex/config.toml",
    text: '[mcp_servers.s]\ncommand = "node"\nargs = ["server.js"]\ncwd = "@"\nenv_vars = ["TOKEN"]\n',
    came: ["node", "server.js"],
    env: { TOKEN: "t" },
  },
  gemini: {
    file: ".gemini/settings.json",
    text: json("mcpServers", entry(["../server.js", "$NAME"], { cwd: "sub" })),
    came: ["node", "../server.js", "one"],
    folder: "sub",
  },
  cline: {
    file: "cline_mcp_settings.json",
    text: json("mcpServers", entry(["@/server.js"], { disabled: false })),
    came: ["node", "@/server.js"],
    folder: "home",
  },
  roo: {
    file: ".roo/mcp.json",
    text: json("mcpServers", entry(["server.js", `\${env:NAME}`])),
    came: ["node", "server.js", "one"],
  },
  continue: {
    file: ".continue/mcpServers/s.yaml",
    text: `mcpServers:\n  - name: s\n    command: node\n    args: [server.js, --key, '\${{ secrets.NAME }}']\n`,
    came: ["node", "server.js", "--key", "one"],
  },
  "lm-studio": {
    file: ".lmstudio/mcp.json",
    text: json("mcpServers", entry(["@/server.js", "x"])),
    came: ["node", "@/server.js", "x"],
    folder: "home",
  },
  opencode: {
    file: "opencode.json",
    text: json("mcp", { type: "local", command: ["node", "server.js", "{env:NAME}"] }),
    came: ["node", "server.js", "one"],
  },
  amp: {
    file: ".amp/settings.json",
    text: json("amp.mcpServers", entry(["server.js", `\${NAME}`])),
    came: ["node", "server.js", "one"],
  },
  goose: {
    file: "goose/config.yaml",
    text: "extensions:\n  s:\n    type: stdio\n    cmd: node\n    args: ['@/server.js']\n    env_keys: [TOKEN]\n",
    came: ["node", "@/server.js"],
    folder: "home",
    env: { TOKEN: "t" },
  },
  kiro: {
    file: ".kiro/settings/mcp.json",
    text: json("mcpServers", entry(["@/server.js", "x"])),
    came: ["node", "@/server.js", "x"],
    folder: "home",
  },
  junie: {
    file: ".junie/mcp/mcp.json",
    text: json("mcpServers", entry(["@/server.js", "x"])),
    came: ["node", "@/server.js", "x"],
    folder: "home",
  },
  kilo: {
    file: ".kilo/kilo.jsonc",
    text: `{ // beside the code\n"mcp": { "s": { "type": "local", "command": ["node", "@/server.js", "{env:NAME}"] } } }\n`,
    came: ["node", "@/server.js", "one"],
    folder: "home",
  },
  copilot: {
    file: ".github/mcp.json",
    text: json("mcpServers", entry(["@/server.js", "x"], { type: "local", tools: ["*"] })),
    came: ["node", "@/server.js", "x"],
    folder: "home",
  },
  trae: {
    file: ".trae/mcp.json",
    text: json("mcpServers", entry(["@/server.js", "x"])),
    came: ["node", "@/server.js", "x"],
    folder: "home",
  },
  crush: {
    file: "crush.json",
    text: json("mcp", entry(["@/server.js", "$NAME"], { type: "stdio" })),
    came: ["node", "@/server.js", "one"],
    folder: "home",
  },
  "amazon-q": {
    file: ".amazonq/default.json",
    text: json("mcpServers", entry(["@/server.js", "x"])),
    came: ["node", "@/server.js", "x"],
    folder: "home",
  },
  factory: {
    file: ".factory/mcp.json",
    text: json("mcpServers", entry(["@/server.js", "x"], { disabled: false })),
    came: ["node", "@/server.js", "x"],
    folder: "home",
  },
  codebuddy: {
    file: ".codebuddy/mcp.json",
    text: json("mcpServers", entry(["@/server.js", "x"])),
    came: ["node", "@/server.js", "x"],
    folder: "home",
  },
  qwen: {
    file: ".qwen/settings.json",
    text: json("mcpServers", entry(["@/server.js", "$NAME"])),
    came: ["node", "@/server.js", "one"],
    folder: "home",
  },
};

describe("a guard behind wrap starts where the client starts the server", () => {
  test("each client of the table is tried", () => {
    expect(Object.keys(STARTS).sort()).toEqual(CLIENTS.map(({ id }) => id).sort());
  });

  test.each(Object.entries(STARTS))("%s", async (_, { file, text, came, folder = "", env = {} }) => {
    using space = new Workspace();
    for (const each of ["sub", "home", dirname(file)]) mkdirSync(space.path(each), { recursive: true });
    writeFileSync(space.path("server.js"), toolsServer([{ name: "a", inputSchema: { type: "object" } }]));
    writeFileSync(space.path(file), text.replaceAll("@", space.folder));
    const home = space.path("home");
    const atPin = { HOME: home, NAME: "other", KEY: "k", AGENTPRINT_INPUT_KEY: "another key", ...env };
    const pinned = await space.run(["pin", "--mcp-config", file], atPin);
    expect(pinned.stdout, pinned.stderr).toContain("pinned");
    const words = came.map((word) => word.replaceAll("@", space.folder).replaceAll("~", home));
    const guard = (given: readonly string[]) => ["guard", "s", "--lock", space.path("agentprint.lock"), "--", ...given];
    const [command, ...args] = AGENTPRINT;
    const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
    const started = await runBeside(command, [...args, ...guard(words)], {
      cwd: folder === "/" ? folder : space.path(folder),
      env: { PATH, NODE_COMPILE_CACHE, HOME: home, ...STATE, ...env },
      stdin: `${JSON.stringify(INITIALIZE)}\n`,
    });
    expect(started.stdout, started.stderr).toContain('"serverInfo"');
    for (const other of [
      words.with(1, space.path("sub/server.js")),
      [...words, "--eval"],
      words.toSpliced(1, 0, "-r"),
    ]) {
      const refused = await space.run(guard(other), { HOME: home, ...env });
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("a different command")]);
    }
  });
});
