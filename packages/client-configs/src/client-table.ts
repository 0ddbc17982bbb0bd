import { deepFreeze } from "@agentprint/canonical-json/json-value";
import type { Client, ClientFile, ClientId, Platform, SettingsFile } from "./client.ts";

const MCP_SERVERS = ["mcpServers"] as const;

/** The spelling that Claude Desktop introduced: `command` and `args`, `url` and `headers`. */
const COMMON = { stdio: "`command`, `args`, `env`", http: "`url`, `headers`" };

/** A file of Claude Code's settings that rejects servers of `.mcp.json`. */
function rejections(path: string, isPersonal: boolean): SettingsFile {
  const source = "https://code.claude.com/docs/en/settings-reference#disabledmcpjsonservers";
  return { path, member: "disabledMcpjsonServers", isPersonal, source };
}

/** A file in the folder that VS Code keeps for a user. */
function inVsCode(file: string): Readonly<Record<Platform, string>> {
  return {
    darwin: `~/Library/Application Support/Code/User/${file}`,
    linux: `$XDG_CONFIG_HOME/Code/User/${file}`,
    win32: `%APPDATA%/Code/User/${file}`,
  };
}

/** A file that may have comments or not, under both of its names. */
function jsonOrJsonc(file: Omit<ClientFile, "path">, path: string): ClientFile[] {
  return [`${path}.json`, `${path}.jsonc`].map((each) => ({ ...file, path: each }));
}

/** Every client that is known, in the order in which servers are listed. */
export const CLIENTS: readonly Client[] = deepFreeze<readonly Client[]>([
  {
    id: "claude-code",
    name: "Claude Code",
    files: [
      { scope: "user", path: "~/.claude.json", member: ["projects", "{project}", "mcpServers"] },
      {
        scope: "project",
        path: ".mcp.json",
        member: MCP_SERVERS,
        settings: [
          rejections(".claude/settings.json", false),
          rejections(".claude/settings.local.json", true),
          rejections("~/.claude/settings.json", true),
        ],
      },
      { scope: "user", path: "~/.claude.json", member: MCP_SERVERS },
    ],
    merge: { by: "entry", source: "https://code.claude.com/docs/en/mcp" },
    spelling: { ...COMMON, http: '`type: "http"`, `url`, `headers`' },
    off: [],
    source: "https://code.claude.com/docs/en/mcp",
  },
  {
    id: "claude-desktop",
    name: "Claude Desktop",
    files: [
      {
        scope: "user",
        path: {
          darwin: "~/Library/Application Support/Claude/claude_desktop_config.json",
          linux: "$XDG_CONFIG_HOME/Claude/claude_desktop_config.json",
          win32: "%APPDATA%/Claude/claude_desktop_config.json",
        },
        member: MCP_SERVERS,
        unverified: "the path on Linux, where the application is not offered",
      },
    ],
    spelling: { ...COMMON, http: "none in the file" },
    off: [],
    source: "https://modelcontextprotocol.io/quickstart/user",
  },
  {
    id: "cursor",
    name: "Cursor",
    files: [
      { scope: "project", path: ".cursor/mcp.json", member: MCP_SERVERS },
      { scope: "user", path: "~/.cursor/mcp.json", member: MCP_SERVERS },
    ],
    merge: {
      by: "entry",
      source: "https://cursor.com/docs/cli/mcp",
      unverified: "that an entry counts as a whole; the page has the order of the files",
    },
    spelling: { ...COMMON, stdio: "`command`, `args`, `env`, `envFile`" },
    off: [],
    source: "https://cursor.com/docs/mcp",
  },
  {
    id: "vscode",
    name: "VS Code",
    files: [
      { scope: "project", path: ".vscode/mcp.json", member: ["servers"] },
      {
        scope: "user",
        path: inVsCode("mcp.json"),
        member: ["servers"],
        unverified: "the folder: the page says “in your user profile”; settings.json of the default profile is there",
      },
    ],
    spelling: {
      stdio: "`command`, `args`, `env`, `envFile`, `cwd`, with `inputs` beside `servers`",
      http: '`type: "http"`, `url`, `headers`',
    },
    off: [],
    source: "https://code.visualstudio.com/docs/agents/reference/mcp-configuration",
  },
  {
    id: "windsurf",
    name: "Windsurf",
    files: [{ scope: "user", path: "~/.codeium/windsurf/mcp_config.json", member: MCP_SERVERS }],
    spelling: { ...COMMON, http: "`serverUrl` or `url`, `headers`" },
    off: ["disabled: true"],
    source: "https://docs.windsurf.com/windsurf/cascade/mcp",
  },
  {
    id: "zed",
    name: "Zed",
    files: [
      {
        scope: "project",
        path: ".zed/settings.json",
        member: ["context_servers"],
        source: "https://zed.dev/docs/configuring-zed",
        unverified: "that Zed reads `context_servers` of a project",
      },
      {
        scope: "user",
        path: {
          darwin: "~/.config/zed/settings.json",
          linux: "$XDG_CONFIG_HOME/zed/settings.json",
          win32: "%APPDATA%/Zed/settings.json",
        },
        member: ["context_servers"],
        source: "https://zed.dev/docs/configuring-zed",
        unverified: "the path on Windows",
      },
    ],
    spelling: COMMON,
    off: ["enabled: false"],
    source: "https://zed.dev/docs/ai/mcp",
  },
  {
    id: "codex",
    name: "Codex",
    files: [
      { scope: "project", path: ".codex/config.toml", member: ["mcp_servers"] },
      { scope: "user", path: "$CODEX_HOME/config.toml", member: ["mcp_servers"] },
    ],
    merge: {
      by: "members",
      source: "https://developers.openai.com/codex/config-basic",
      unverified: "that tables are merged at every depth; the page says that values are resolved",
    },
    spelling: {
      stdio: "`command`, `args`, `env`, `env_vars`, `cwd`",
      http: "`url`, `http_headers`, `env_http_headers`, `bearer_token_env_var`",
    },
    off: ["enabled: false"],
    source: "https://developers.openai.com/codex/mcp",
  },
  {
    id: "gemini",
    name: "Gemini CLI",
    references: "gemini",
    files: [
      { scope: "project", path: ".gemini/settings.json", member: MCP_SERVERS },
      { scope: "user", path: "~/.gemini/settings.json", member: MCP_SERVERS },
    ],
    merge: {
      by: "entry",
      source: "https://geminicli.com/docs/cli/enterprise/",
      unverified: "that an entry counts as a whole; the page says that `mcpServers` are merged",
    },
    spelling: {
      stdio: "`command`, `args`, `env`, `cwd`",
      http: "`httpUrl` (streamable) or `url` (SSE), `headers`",
    },
    off: ["mcp lists"],
    source: "https://geminicli.com/docs/tools/mcp-server/",
  },
  {
    id: "cline",
    name: "Cline",
    files: [
      {
        scope: "user",
        path: "~/.cline/data/settings/cline_mcp_settings.json",
        member: MCP_SERVERS,
        source: "https://docs.cline.bot/cli/configuration",
      },
      {
        scope: "user",
        path: inVsCode("globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"),
        member: MCP_SERVERS,
        unverified: "the path, which versions of the extension before the shared folder use",
      },
    ],
    spelling: { ...COMMON, http: '`type: "streamableHttp"`, `url`, `headers`' },
    off: ["disabled: true"],
    source: "https://docs.cline.bot/mcp/adding-and-configuring-servers",
  },
  {
    id: "roo",
    name: "Roo Code",
    files: [
      { scope: "project", path: ".roo/mcp.json", member: MCP_SERVERS },
      {
        scope: "user",
        path: inVsCode("globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"),
        member: MCP_SERVERS,
        unverified: "the folder: the page names the file `mcp_settings.json` alone",
      },
    ],
    merge: { by: "entry", source: "https://docs.roocode.com/features/mcp/using-mcp-in-roo" },
    spelling: { ...COMMON, http: '`type: "streamable-http"`, `url`, `headers`' },
    off: ["disabled: true"],
    source: "https://docs.roocode.com/features/mcp/using-mcp-in-roo",
  },
  {
    id: "continue",
    name: "Continue",
    references: "continue",
    files: [
      { scope: "project", path: ".continue/mcpServers/*.yaml", member: MCP_SERVERS },
      { scope: "project", path: ".continue/mcpServers/*.json", member: MCP_SERVERS },
      { scope: "user", path: "~/.continue/config.yaml", member: MCP_SERVERS },
    ],
    spelling: {
      stdio: "a list: `name`, `command`, `args`, `env`, `cwd`",
      http: '`name`, `type: "streamable-http"`, `url`, `requestOptions.headers`',
    },
    off: [],
    source: "https://docs.continue.dev/customize/deep-dives/mcp",
  },
  {
    id: "lm-studio",
    name: "LM Studio",
    files: [{ scope: "user", path: "~/.lmstudio/mcp.json", member: MCP_SERVERS }],
    spelling: COMMON,
    off: [],
    source: "https://lmstudio.ai/docs/app/mcp",
  },
  {
    id: "opencode",
    name: "opencode",
    references: "opencode",
    files: [
      ...jsonOrJsonc({ scope: "project", member: ["mcp"] }, ".opencode/opencode"),
      ...jsonOrJsonc({ scope: "project", member: ["mcp"] }, "opencode"),
      ...jsonOrJsonc({ scope: "user", member: ["mcp"] }, "$XDG_CONFIG_HOME/opencode/opencode"),
    ],
    merge: {
      by: "members",
      source: "https://opencode.ai/docs/config/",
      unverified: "which counts of `.json` and `.jsonc` in one folder",
    },
    spelling: {
      stdio: '`type: "local"`, `command` (a list), `environment`; version 2 below `mcp.servers`',
      http: '`type: "remote"`, `url`, `headers`',
    },
    off: ["enabled: false", "disabled: true"],
    source: "https://opencode.ai/v2/docs/mcp-servers/",
  },
  {
    id: "amp",
    name: "Amp",
    files: [
      ...jsonOrJsonc({ scope: "project", member: ["amp.mcpServers"] }, ".amp/settings"),
      ...jsonOrJsonc({ scope: "user", member: ["amp.mcpServers"] }, "~/.config/amp/settings"),
    ],
    spelling: COMMON,
    off: ["disabled: true"],
    source: "https://ampcode.com/manual",
  },
  {
    id: "goose",
    name: "Goose",
    files: [
      {
        scope: "user",
        path: {
          darwin: "~/.config/goose/config.yaml",
          linux: "$XDG_CONFIG_HOME/goose/config.yaml",
          win32: "%APPDATA%/Block/goose/config/config.yaml",
        },
        member: ["extensions"],
        source: "https://block.github.io/goose/docs/guides/config-files",
      },
    ],
    spelling: {
      stdio: '`type: "stdio"`, `cmd`, `args`, `envs`, `env_keys`',
      http: '`type: "streamable_http"`, `uri`, `headers`',
    },
    off: ["enabled: false"],
    source: "https://block.github.io/goose/docs/getting-started/using-extensions",
  },
]);

/** The ids of all clients. */
export const CLIENT_IDS: readonly ClientId[] = Object.freeze(CLIENTS.map(({ id }) => id));
