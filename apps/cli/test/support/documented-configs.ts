import type { ClientId } from "@agentprint/client-configs";
import { COMMON_CONFIGS } from "./documented-common.ts";
import { SETTINGS_CONFIGS } from "./documented-settings.ts";

/** A configuration in a format that its client documents. */
export interface DocumentedConfig {
  readonly client: ClientId;
  /** Relative to the project's folder or, with `~/`, to the user's home folder. */
  readonly path: string;
  /** `{project}` stands for the project's folder. */
  readonly text: string;
  /** Other project files that the client reads, by path. */
  readonly beside?: Readonly<Record<string, string>>;
  /** The words of each launch, or its URL, with the values of its variables or headers. */
  readonly servers: Readonly<Record<string, readonly [launch: string, values: Readonly<Record<string, string>>]>>;
  /** The servers that are switched off. */
  readonly off?: readonly string[];
}

/** TOML and YAML configurations. */
const OTHER_FORMATS: readonly DocumentedConfig[] = [
  {
    client: "codex",
    path: ".codex/config.toml",
    text: `# of the harbour
[mcp_servers.charts]
command = "npx"
args = ["-y", "charts-mcp"]
env_vars = ["CHARTS_KEY"]
enabled_tools = ["read"]

[mcp_servers.charts.env]
MODE = 'fast' # at sea

[mcp_servers.tides]
url = "https://tides.example/mcp"
bearer_token_env_var = "TIDES_KEY"
env_http_headers = { "X-Boat" = "BOAT" }

[mcp_servers.winds]
command = "winds-mcp"
enabled = false
`,
    servers: {
      charts: ["npx -y charts-mcp", { CHARTS_KEY: "ck", MODE: "fast" }],
      tides: ["https://tides.example/mcp", { Authorization: "Bearer tk", "X-Boat": "boat" }],
    },
    off: ["winds"],
  },
  {
    client: "codex",
    path: "~/.codex/config.toml",
    text: `model = "m-1"

[mcp_servers]
"north-charts" = { command = "charts-mcp", args = ["north"], env = { "KEY" = "k1" } }

[profiles.deep]
model_reasoning_effort = "high"
`,
    servers: { "north-charts": ["charts-mcp north", { KEY: "k1" }] },
  },
  {
    client: "continue",
    path: ".continue/mcpServers/charts.yaml",
    text: `name: Charts
version: 0.0.1
schema: v1
mcpServers:
  - name: charts
    type: stdio
    command: npx # with npm
    args:
      - "-y"
      - "charts-mcp"
    env:
      KEY: \${{ secrets.CHARTS_KEY }}
  - name: tides
    type: streamable-http
    url: https://tides.example/mcp
    requestOptions:
      headers: { X-Key: "\${{ secrets.TIDES_KEY }}" }
`,
    servers: {
      charts: ["npx -y charts-mcp", { KEY: "ck" }],
      tides: ["https://tides.example/mcp", { "X-Key": "tk" }],
    },
  },
  {
    client: "continue",
    path: ".continue/mcpServers/mcp.json",
    text: `{ "mcpServers": { "charts": { "command": "charts-mcp", "args": [] } } }\n`,
    servers: { charts: ["charts-mcp", {}] },
  },
  {
    client: "continue",
    path: "~/.continue/config.yaml",
    text: `name: Ann
models: []
mcpServers:
- name: charts
  command: charts-mcp
  args: ["--log", 'a b']
  cwd: /srv
`,
    servers: { charts: ["charts-mcp --log a b", {}] },
  },
  {
    client: "goose",
    path: "~/.config/goose/config.yaml",
    text: `extensions:
  memory: { type: builtin, name: memory, enabled: true }
  charts:
    name: Charts
    type: stdio
    cmd: uvx
    args:
    - charts-mcp
    env_keys: [ CHARTS_KEY ]
    envs: {}
    enabled: true
    timeout: 300
  tides:
    type: streamable_http
    uri: https://tides.example/mcp
    headers:
      X-Key: k2
    enabled: true
  winds:
    type: stdio
    cmd: winds-mcp
    args: []
    enabled: false
GOOSE_MODE: smart
`,
    servers: {
      charts: ["uvx charts-mcp", { CHARTS_KEY: "ck" }],
      tides: ["https://tides.example/mcp", { "X-Key": "k2" }],
    },
    off: ["winds"],
  },
];

/** Configurations for every client, in each format that the client documents. */
export const DOCUMENTED_CONFIGS: readonly DocumentedConfig[] = [
  ...COMMON_CONFIGS,
  ...SETTINGS_CONFIGS,
  ...OTHER_FORMATS,
];
