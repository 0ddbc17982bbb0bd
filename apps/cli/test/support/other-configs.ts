import type { ClientId } from "@agentprint/client-configs";

/** A configuration in a format that its client documents; its servers all run `server.js` in the project's folder. */
export interface OtherConfig {
  readonly client: ClientId;
  readonly path: string;
  readonly text: string;
  /** The servers that are switched on. */
  readonly on: readonly string[];
}

const SERVER = `"command": "node", "args": ["server.js"]`;
const ref = (text: string): string => `\${${text}}`;

function config(client: ClientId, path: string, on: string, text: string): OtherConfig {
  return { client, path, text, on: on.split("|") };
}

/** One configuration for each client and format, with the other settings that people write next to the servers. */
export const OTHER_CONFIGS: readonly OtherConfig[] = [
  config("claude-code", ".mcp.json", "a.b", `{"mcpServers":{"a.b":{"type":"stdio",${SERVER},"env":{}}}}`),
  config(
    "claude-code",
    ".mcp.json",
    "db",
    `{"$schema":"x","mcpServers":{"db":{"command":"${ref("NODE_BIN:-node")}","args":["${ref("DIR:-.")}/server.js"]}}}`,
  ),
  config(
    "claude-code",
    ".mcp.json",
    "one|two",
    `{\n\t"mcpServers": {\n\t\t"one": {\n\t\t\t${SERVER}\n\t\t},\n\t\t"two": { ${SERVER}, "timeout": 600000 }\n\t}\n}\n`,
  ),
  config(
    "claude-code",
    "~/.claude.json",
    "local",
    `{"projects":{"{project}":{"mcpServers":{"local":{${SERVER}}}},"/x":{"mcpServers":{"far":{"command":"far"}}}}}`,
  ),
  config(
    "claude-desktop",
    "~/.config/Claude/claude_desktop_config.json",
    "files",
    `\uFEFF{ "mcpServers": { "files": { ${SERVER}, "env": { "LEVEL": "debug" } } }, "preferences": { "menuBarEnabled": false } }`,
  ),
  config(
    "cursor",
    ".cursor/mcp.json",
    "at-root",
    `{"mcpServers":{"at-root":{"command":"node","args":["${ref("workspaceFolder")}/server.js"],"envFile":"${ref("workspaceFolder")}/.env.example"}}}`,
  ),
  config(
    "cursor",
    ".cursor/mcp.json",
    "with env",
    `{\n  "mcpServers": {\n    "with env": {\n      "type": "stdio",\n      ${SERVER},\n      "env": { "KEY": "${ref("env:HOME")}", "SEP": "${ref("pathSeparator")}" }\n    }\n  }\n}`,
  ),
  config(
    "vscode",
    ".vscode/mcp.json",
    "git",
    `// Servers of the team\n{\n  "inputs": [],\n  "servers": {\n    "git": {\n      "type": "stdio",\n      "command": "node", // by PATH\n      "args": [\n        "server.js", /* the rest */\n      ],\n    },\n  },\n}\n`,
  ),
  config(
    "vscode",
    ".vscode/mcp.json",
    "dev",
    `{"servers":{"dev":{${SERVER},"cwd":"${ref("workspaceFolder")}","dev":{"watch":"src/**/*.ts"}}}}`,
  ),
  config(
    "vscode",
    ".vscode/mcp.json",
    "boxed",
    `{"servers":{"boxed":{"type":"stdio",${SERVER},"sandboxEnabled":true,"sandbox":{"filesystem":{"allowWrite":["."]}}}}}`,
  ),
  config(
    "windsurf",
    "~/.codeium/windsurf/mcp_config.json",
    "on",
    `{"mcpServers":{"on":{${SERVER},"disabledTools":["x"]},"off":{${SERVER},"disabled":true}}}`,
  ),
  config(
    "zed",
    ".zed/settings.json",
    "charts",
    `// Zed\n{\n  "tab_size": 2,\n  "context_servers": {\n    "charts": {\n      "source": "custom",\n      ${SERVER},\n      "env": {},\n    },\n  },\n}\n`,
  ),
  config(
    "zed",
    "~/.config/zed/settings.json",
    "tide",
    `{"context_servers":{"tide":{"enabled":true,${SERVER},"settings":{}},"out":{"enabled":false,${SERVER}}}}`,
  ),
  config(
    "codex",
    ".codex/config.toml",
    "docs",
    `model = "m"\n\n[mcp_servers.docs]\ncommand = 'node'\nargs = [\n  "server.js", # the script\n]\nstartup_timeout_sec = 20\n`,
  ),
  config(
    "codex",
    ".codex/config.toml",
    "x.y",
    `[mcp_servers]\n"x.y" = { command = "node", args = ["server.js"], enabled = true }\n`,
  ),
  config(
    "codex",
    "~/.codex/config.toml",
    "in-line",
    `mcp_servers.in-line.command = "node"\nmcp_servers.in-line.args = ["server.js"]\n`,
  ),
  config(
    "codex",
    "~/.codex/config.toml",
    "tools",
    `[mcp_servers.tools]\ncommand = """node"""\nargs = ['''server.js''']\nenabled_tools = ["a"]\n[mcp_servers.tools.tools.a]\napproval_mode = "approve"\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\n`,
  ),
  config(
    "gemini",
    ".gemini/settings.json",
    "py",
    `{"theme":"Default","mcpServers":{"py":{${SERVER},"timeout":15000,"trust":false,"includeTools":["a"]}}}`,
  ),
  config(
    "gemini",
    ".gemini/settings.json",
    "in",
    `{"mcp":{"allowed":["in"]},"mcpServers":{"in":{${SERVER},"env":{"KEY":"$HOME"}},"not":{${SERVER}}}}`,
  ),
  config(
    "cline",
    "~/.cline/data/settings/cline_mcp_settings.json",
    "clin",
    `{"mcpServers":{"clin":{${SERVER},"alwaysAllow":["a"],"disabled":false}}}`,
  ),
  config(
    "roo",
    ".roo/mcp.json",
    "roo",
    `{"mcpServers":{"roo":{${SERVER},"env":{"A":"${ref("env:HOME")}"},"watchPaths":["dist"],"timeout":60,"disabledTools":[]}}}`,
  ),
  config(
    "continue",
    ".continue/mcpServers/a.yaml",
    "Yard",
    `name: Yard\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: Yard\n    command: node\n    args:\n      - server.js\n    env: {}\n`,
  ),
  config(
    "continue",
    ".continue/mcpServers/b.yaml",
    "it's",
    `mcpServers:\n- {name: "it's", command: node, args: [server.js]} # one line\n`,
  ),
  config("continue", ".continue/mcpServers/c.json", "copied", `{"mcpServers":{"copied":{${SERVER}}}}`),
  config(
    "continue",
    "~/.continue/config.yaml",
    "last",
    `name: c\nmodels: []\nmcpServers:\n  - name: last\n    command: 'node'\n    args: ["server.js"]`,
  ),
  config(
    "lm-studio",
    "~/.lmstudio/mcp.json",
    "lm",
    `{\r\n  "mcpServers": {\r\n    "lm": { ${SERVER} }\r\n  }\r\n}\r\n`,
  ),
  config(
    "opencode",
    "opencode.json",
    "oc",
    `{"$schema":"https://opencode.ai/config.json","mcp":{"oc":{"type":"local","command":["node","server.js"],"enabled":true,"environment":{"A":"{env:HOME}"}},"jira":{"enabled":false}}}`,
  ),
  config(
    "opencode",
    "opencode.jsonc",
    "v2",
    `{ // two\n  "mcp": { "timeout": 5000, "servers": { "v2": { "type": "local", "command": ["node", "server.js"], } } },\n}`,
  ),
  config(
    "amp",
    ".amp/settings.json",
    "amp",
    `{"amp.notifications.enabled":true,"amp.mcpServers":{"amp":{${SERVER},"includeTools":["*"]}}}`,
  ),
  config(
    "goose",
    "~/.config/goose/config.yaml",
    "goo",
    `GOOSE_MODEL: m\nextensions:\n  developer:\n    bundled: true\n    enabled: true\n    name: developer\n    type: builtin\n  goo:\n    args:\n    - server.js\n    cmd: node\n    enabled: true\n    env_keys: []\n    envs: {}\n    name: goo\n    timeout: 300\n    type: stdio\n`,
  ),
  config(
    "kiro",
    ".kiro/settings/mcp.json",
    "ki",
    `{"mcpServers":{"ki":{${SERVER},"autoApprove":["a"],"disabledTools":["b"],"env":{"HOME_OF":"${ref("HOME")}"}}}}`,
  ),
  config("junie", ".junie/mcp/mcp.json", "ju", `{"mcpServers":{"ju":{${SERVER},"env":{"A":"b"}}}}`),
  config(
    "kilo",
    "kilo.jsonc",
    "ki-lo",
    `{\n  // local\n  "mcp": { "ki-lo": { "type": "local", "command": ["node", "server.js"], "timeout": 5000, }, },\n}\n`,
  ),
  config("copilot", ".github/mcp.json", "co", `{"mcpServers":{"co":{"type":"local",${SERVER},"tools":["*"]}}}`),
  config("trae", ".trae/mcp.json", "tr", `{"mcpServers":{"tr":{${SERVER},"start_timeout_ms":60000}}}`),
  config(
    "crush",
    "crush.json",
    "cr",
    `{"$schema":"https://charm.land/crush.json","mcp":{"cr":{"type":"stdio",${SERVER},"timeout":120,"disabled":false,"disabled_tools":[]}},"lsp":{"go":{"command":"gopls"}}}`,
  ),
  config("amazon-q", ".amazonq/default.json", "q", `{"mcpServers":{"q":{${SERVER},"timeout":60000,"disabled":false}}}`),
  config(
    "factory",
    ".factory/mcp.json",
    "fa",
    `{"mcpServers":{"fa":{"type":"stdio",${SERVER},"disabled":false,"disabledTools":["x"]}}}`,
  ),
  config(
    "codebuddy",
    "~/.codebuddy/.mcp.json",
    "cb",
    `{"mcpServers":{"cb":{"type":"stdio",${SERVER},"description":"s"}}}`,
  ),
  config(
    "qwen",
    ".qwen/settings.json",
    "qw|qv",
    `{"mcp":{"allowed":["q*"]},"mcpServers":{"qw":{${SERVER},"trust":true},"\\u0071v":{"command":"node","args":["./server.js"],"cwd":"./"},"x":{"command":"x"}}}`,
  ),
];
