import type { DocumentedConfig } from "./documented-configs.ts";

/** JSON configurations of newer clients, and configurations under keys other than `mcpServers`. */
export const SETTINGS_CONFIGS: readonly DocumentedConfig[] = [
  {
    client: "vscode",
    path: ".vscode/mcp.json",
    text: `{
  // asked for once
  "inputs": [
    { "type": "promptString", "id": "tides-key", "description": "Key of the tides", "password": true },
  ],
  "servers": {
    /* started by the editor */
    "charts": {
      "type": "stdio",
      "command": "\${workspaceFolder}/bin/charts",
      "args": ["--home", "\${userHome}"],
      "env": { "KEY": "\${env:CHARTS_KEY}" },
      "dev": { "watch": "src/**" },
    },
    "tides": { "type": "http", "url": "https://tides.example/mcp", "headers": { "X-Key": "\${input:tides-key}" } },
  },
}
`,
    servers: {
      charts: [`\${workspaceFolder}/bin/charts --home \${userHome}`, { KEY: "ck" }],
      tides: ["https://tides.example/mcp", { "X-Key": "asked" }],
    },
  },
  {
    client: "vscode",
    path: "~/.config/Code/User/mcp.json",
    text: `{\n\t"servers": {\n\t\t"charts": { "command": "charts-mcp", "sandboxEnabled": true }\n\t}\n}\n`,
    servers: { charts: ["charts-mcp", {}] },
  },
  {
    client: "zed",
    path: ".zed/settings.json",
    text: `// of this project
{
  "tab_size": 2,
  "context_servers": {
    "charts": { "command": "charts-mcp", "args": ["--fast"], "env": { "KEY": "k1" } },
    "tides": { "url": "https://tides.example/mcp", "headers": { "X-Key": "k2" } },
    "winds": { "enabled": false, "command": "winds-mcp" },
  },
}
`,
    servers: { charts: ["charts-mcp --fast", { KEY: "k1" }], tides: ["https://tides.example/mcp", { "X-Key": "k2" }] },
    off: ["winds"],
  },
  {
    client: "zed",
    path: "~/.config/zed/settings.json",
    text: `{
  "context_servers": {
    "charts": { "source": "custom", "command": { "path": "charts-mcp", "args": ["-v"], "env": null } },
    "harbour": { "source": "extension", "enabled": true, "settings": {} }
  }
}
`,
    servers: { charts: ["charts-mcp -v", {}] },
  },
  {
    client: "gemini",
    path: ".gemini/settings.json",
    text: `{
  "mcp": { "excluded": ["winds"] },
  "mcpServers": {
    "charts": { "command": "python", "args": ["-m", "charts"], "env": { "KEY": "$CHARTS_KEY" }, "cwd": "maps", "timeout": 15000 },
    "tides": { "httpUrl": "https://tides.example/mcp", "headers": { "X-Key": "\${TIDES_KEY}" }, "excludeTools": ["erase"] },
    "winds": { "url": "https://winds.example/sse" }
  }
}
`,
    servers: {
      charts: ["python -m charts", { KEY: "ck" }],
      tides: ["https://tides.example/mcp", { "X-Key": "tk" }],
    },
    off: ["winds"],
  },
  {
    client: "gemini",
    path: "~/.gemini/settings.json",
    text: `{
  // the only one
  "mcp": { "allowed": ["charts"] },
  "mcpServers": { "charts": { "command": "charts-mcp", "trust": true }, "winds": { "command": "winds-mcp" } }
}
`,
    servers: { charts: ["charts-mcp", {}] },
    off: ["winds"],
  },
  {
    client: "opencode",
    path: "opencode.json",
    text: `{
  "$schema": "https://opencode.ai/config.json",
  "mcp": {
    "charts": { "type": "local", "command": ["npx", "-y", "charts-mcp"], "environment": { "KEY": "{env:CHARTS_KEY}" }, "enabled": true },
    "tides": { "type": "remote", "url": "https://tides.example/mcp", "headers": { "Authorization": "Bearer {env:TIDES_KEY}" } },
    "winds": { "type": "local", "command": ["winds-mcp"], "enabled": false }
  }
}
`,
    servers: {
      charts: ["npx -y charts-mcp", { KEY: "ck" }],
      tides: ["https://tides.example/mcp", { Authorization: "Bearer tk" }],
    },
    off: ["winds"],
  },
  {
    client: "opencode",
    path: ".opencode/opencode.jsonc",
    text: `{
  "mcp": {
    "timeout": 5,
    "servers": {
      "charts": { "type": "local", "command": ["charts-mcp"], "environment": { "KEY": "{env:CHARTS_KEY}" }, }, // fast
      "winds": { "type": "remote", "url": "https://winds.example/mcp", "disabled": true },
    },
  },
}
`,
    servers: { charts: ["charts-mcp", { KEY: "ck" }] },
    off: ["winds"],
  },
  {
    client: "opencode",
    path: "~/.config/opencode/opencode.jsonc",
    text: `{ "mcp": { "charts": { "type": "local", "command": ["bun", "x", "charts-mcp"], "timeout": 9000 } } /* all */ }`,
    servers: { charts: ["bun x charts-mcp", {}] },
  },
  {
    client: "kilo",
    path: ".kilo/kilo.jsonc",
    text: `{
  // of the harbour
  "mcp": {
    "charts": { "type": "local", "command": ["npx", "-y", "charts-mcp"], "environment": { "KEY": "{env:CHARTS_KEY}" } },
    "winds": { "type": "local", "command": ["winds-mcp"], "enabled": false },
  },
}
`,
    servers: { charts: ["npx -y charts-mcp", { KEY: "ck" }] },
    off: ["winds"],
  },
  {
    client: "kilo",
    path: "kilo.json",
    text: `{ "mcp": { "tides": { "type": "remote", "url": "https://tides.example/mcp", "headers": { "X-Key": "{env:TIDES_KEY}" } } } }`,
    servers: { tides: ["https://tides.example/mcp", { "X-Key": "tk" }] },
  },
  {
    client: "kilo",
    path: ".kilocode/mcp.json",
    text: `{
  "mcpServers": {
    "charts": { "command": "node", "args": ["charts.js"], "alwaysAllow": ["read"], "disabled": false },
    "tides": { "type": "streamable-http", "url": "https://tides.example/mcp" },
    "winds": { "command": "winds-mcp", "disabled": true }
  }
}
`,
    servers: { charts: ["node charts.js", {}], tides: ["https://tides.example/mcp", {}] },
    off: ["winds"],
  },
  {
    client: "kilo",
    path: "~/.kilocode/cli/global/settings/mcp_settings.json",
    text: `{ "mcpServers": { "charts": { "command": "charts-mcp" } } }`,
    servers: { charts: ["charts-mcp", {}] },
  },
  {
    client: "copilot",
    path: ".github/mcp.json",
    text: `{
  "mcpServers": {
    "charts": { "type": "local", "command": "npx", "args": ["charts-mcp"], "env": { "KEY": "\${CHARTS_KEY}" }, "tools": ["*"] },
    "tides": { "type": "http", "url": "https://tides.example/mcp", "headers": { "X-Key": "\${TIDES_KEY}" }, "tools": ["read"] }
  }
}
`,
    servers: {
      charts: ["npx charts-mcp", { KEY: "ck" }],
      tides: ["https://tides.example/mcp", { "X-Key": "tk" }],
    },
  },
  {
    client: "copilot",
    path: "~/.copilot/mcp-config.json",
    text: `{ "mcpServers": { "charts": { "type": "stdio", "command": "charts-mcp", "args": [], "tools": ["*"] } } }\n`,
    servers: { charts: ["charts-mcp", {}] },
  },
  {
    client: "crush",
    path: ".crush.json",
    text: `{
  "$schema": "https://charm.land/crush.json",
  "mcp": {
    "charts": { "type": "stdio", "command": "node", "args": ["charts.js"], "timeout": 120, "disabled_tools": ["erase"], "env": { "KEY": "$CHARTS_KEY" } },
    "tides": { "type": "http", "url": "https://tides.example/mcp", "headers": { "Authorization": "Bearer \${TIDES_KEY}" } },
    "winds": { "type": "sse", "url": "https://winds.example/sse", "disabled": true }
  }
}
`,
    servers: {
      charts: ["node charts.js", { KEY: "ck" }],
      tides: ["https://tides.example/mcp", { Authorization: "Bearer tk" }],
    },
    off: ["winds"],
  },
  {
    client: "crush",
    path: "~/.config/crush/crush.json",
    text: `{ "lsp": {}, "mcp": { "charts": { "type": "stdio", "command": "charts-mcp" } } }`,
    servers: { charts: ["charts-mcp", {}] },
  },
  {
    client: "amazon-q",
    path: ".amazonq/default.json",
    text: `{ "mcpServers": { "charts": { "command": "uvx", "args": ["charts-mcp@1.4.0"], "env": { "KEY": "k1" }, "timeout": 60000 } } }\n`,
    servers: { charts: ["uvx charts-mcp@1.4.0", { KEY: "k1" }] },
  },
  {
    client: "amazon-q",
    path: "~/.aws/amazonq/mcp.json",
    text: `{\n    "mcpServers": {\n        "tides": { "url": "https://tides.example/mcp", "headers": { "X-Key": "k2" } }\n    }\n}\n`,
    servers: { tides: ["https://tides.example/mcp", { "X-Key": "k2" }] },
  },
  {
    client: "amazon-q",
    path: ".amazonq/cli-agents/pilot.json",
    text: `{ "name": "pilot", "mcpServers": { "charts": { "command": "charts-mcp", "args": ["--pilot"] } }, "tools": ["@charts"] }`,
    servers: { charts: ["charts-mcp --pilot", {}] },
  },
  {
    client: "codebuddy",
    path: "~/.codebuddy/.mcp.json",
    text: `{ "mcpServers": { "charts": { "type": "stdio", "command": "npx", "args": ["-y", "charts-mcp"], "env": { "KEY": "\${CHARTS_KEY}" } } } }\n`,
    servers: { charts: ["npx -y charts-mcp", { KEY: "ck" }] },
  },
  {
    client: "codebuddy",
    path: "~/.codebuddy.json",
    text: `{ "projects": { "{project}": { "mcpServers": { "tides": { "type": "http", "url": "https://tides.example/mcp" } } } } }`,
    servers: { tides: ["https://tides.example/mcp", {}] },
  },
  {
    client: "qwen",
    path: ".qwen/settings.json",
    text: `{
  // by pattern
  "mcp": { "allowed": ["c*", "tide?"], "excluded": ["*-old"] },
  "mcpServers": {
    "charts": { "command": "python", "args": ["-m", "charts"], "env": { "KEY": "$CHARTS_KEY" }, "trust": false },
    "charts-old": { "command": "charts-old" },
    "tides": { "httpUrl": "https://tides.example/mcp", "headers": { "X-Key": "\${TIDES_KEY}" } },
    "winds": { "url": "https://winds.example/sse" },
  },
}
`,
    servers: {
      charts: ["python -m charts", { KEY: "ck" }],
      tides: ["https://tides.example/mcp", { "X-Key": "tk" }],
    },
    off: ["charts-old", "winds"],
  },
  {
    client: "qwen",
    path: ".qwen/settings.local.json",
    text: `{ "mcpServers": { "charts": { "command": "charts-mcp", "cwd": "maps" } } }`,
    servers: { charts: ["charts-mcp", {}] },
  },
];
