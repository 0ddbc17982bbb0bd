import type { DocumentedConfig } from "./documented-configs.ts";

/** JSON configurations with `mcpServers`, as the documentation of their clients shows them. */
export const COMMON_CONFIGS: readonly DocumentedConfig[] = [
  {
    client: "claude-code",
    path: ".mcp.json",
    text: `{
  "mcpServers": {
    "charts": { "type": "stdio", "command": "\${CHARTS_BIN:-charts-mcp}", "args": ["--root", "\${BOAT:-dinghy}"], "env": {} },
    "tides": { "type": "http", "url": "https://tides.example/mcp", "headers": { "X-Key": "\${TIDES_KEY}" } },
    "winds": { "type": "sse", "url": "\${WINDS_URL:-https://winds.example}/sse" }
  }
}
`,
    servers: {
      charts: [`\${env:CHARTS_BIN:-charts-mcp} --root \${env:BOAT:-dinghy}`, {}],
      tides: ["https://tides.example/mcp", { "X-Key": "tk" }],
      winds: [`\${env:WINDS_URL:-https://winds.example}/sse`, {}],
    },
  },
  {
    client: "claude-code",
    path: ".mcp.json",
    beside: { ".claude/settings.json": `{ "disabledMcpjsonServers": ["winds"] }\n` },
    text: `{ "mcpServers": { "charts": { "command": "charts-mcp" }, "winds": { "command": "winds-mcp" } } }`,
    servers: { charts: ["charts-mcp", {}] },
    off: ["winds"],
  },
  {
    client: "claude-code",
    path: "~/.claude.json",
    text: `{
	"numStartups": 12,
	"mcpServers": { "tides": { "type": "http", "url": "https://tides.example/mcp" } },
	"projects": {
		"{project}": { "allowedTools": [], "mcpServers": { "charts": { "command": "charts-mcp", "args": [], "env": { "KEY": "k1" } } } },
		"/elsewhere": { "mcpServers": { "winds": { "command": "winds-mcp" } } }
	}
}
`,
    servers: { charts: ["charts-mcp", { KEY: "k1" }], tides: ["https://tides.example/mcp", {}] },
  },
  {
    client: "claude-desktop",
    path: "~/.config/Claude/claude_desktop_config.json",
    text: `{
  "globalShortcut": "",
  "mcpServers": {
    "charts": {
      "command": "uv",
      "args": ["--directory", "/srv/charts", "run", "charts.py"]
    },
    "harbour": { "command": "docker", "args": ["run", "-i", "--rm", "-e", "BOAT", "harbour-mcp:2"], "env": { "BOAT": "Ann" } }
  }
}`,
    servers: {
      charts: ["uv --directory /srv/charts run charts.py", {}],
      harbour: ["docker run -i --rm -e BOAT harbour-mcp:2", { BOAT: "Ann" }],
    },
  },
  {
    client: "cursor",
    path: ".cursor/mcp.json",
    beside: { "sea.env": "DEPTH=9\n" },
    text: `{
  "mcpServers": {
    "charts": {
      "type": "stdio",
      "command": "python",
      "args": ["\${workspaceFolder}/charts.py"],
      "env": { "KEY": "\${env:CHARTS_KEY}" },
      "envFile": "sea.env"
    },
    "tides": { "url": "https://tides.example/mcp", "headers": { "Authorization": "Bearer \${env:TIDES_KEY}" } }
  }
}
`,
    servers: {
      charts: [`python \${workspaceFolder}/charts.py`, { KEY: "ck", DEPTH: "9" }],
      tides: ["https://tides.example/mcp", { Authorization: "Bearer tk" }],
    },
  },
  {
    client: "cursor",
    path: "~/.cursor/mcp.json",
    text: `{"mcpServers":{"charts":{"command":"npx","args":["-y","charts-mcp@1.4.0"]}}}`,
    servers: { charts: ["npx -y charts-mcp@1.4.0", {}] },
  },
  {
    client: "windsurf",
    path: "~/.codeium/windsurf/mcp_config.json",
    text: `{
  "mcpServers": {
    "tides": { "serverUrl": "https://tides.example/mcp", "headers": { "X-Key": "\${env:TIDES_KEY}" } },
    "charts": { "command": "npx", "args": ["-y", "charts-mcp"], "disabledTools": ["erase"] },
    "winds": { "command": "winds-mcp", "disabled": true }
  }
}
`,
    servers: { tides: ["https://tides.example/mcp", { "X-Key": "tk" }], charts: ["npx -y charts-mcp", {}] },
    off: ["winds"],
  },
  {
    client: "cline",
    path: "~/.cline/data/settings/cline_mcp_settings.json",
    text: `{
  "mcpServers": {
    "charts": { "command": "node", "args": ["/srv/charts.js"], "alwaysAllow": ["read"], "disabled": false, "timeout": 60 },
    "tides": { "type": "streamableHttp", "url": "https://tides.example/mcp", "disabled": false },
    "winds": { "url": "https://winds.example/sse", "disabled": true }
  }
}
`,
    servers: { charts: ["node /srv/charts.js", {}], tides: ["https://tides.example/mcp", {}] },
    off: ["winds"],
  },
  {
    client: "cline",
    path: "~/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
    text: `{ "mcpServers": { "charts": { "command": "charts-mcp", "args": [], "env": { "KEY": "k1" }, "autoApprove": [] } } }\n`,
    servers: { charts: ["charts-mcp", { KEY: "k1" }] },
  },
  {
    client: "roo",
    path: ".roo/mcp.json",
    text: `{
  "mcpServers": {
    "charts": { "command": "cmd", "args": ["/c", "npx", "-y", "charts-mcp"], "cwd": "charts", "alwaysAllow": ["read"], "watchPaths": [] },
    "tides": { "type": "streamable-http", "url": "https://tides.example/mcp", "headers": { "X-Key": "\${env:TIDES_KEY}" } },
    "winds": { "type": "sse", "url": "https://winds.example/sse", "disabled": true }
  }
}
`,
    servers: { charts: ["cmd /c npx -y charts-mcp", {}], tides: ["https://tides.example/mcp", { "X-Key": "tk" }] },
    off: ["winds"],
  },
  {
    client: "roo",
    path: "~/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
    text: `{ "mcpServers": { "charts": { "command": "charts-mcp", "disabledTools": ["erase"] } } }`,
    servers: { charts: ["charts-mcp", {}] },
  },
  {
    client: "lm-studio",
    path: "~/.lmstudio/mcp.json",
    text: `{
  "mcpServers": {
    "tides": { "url": "https://tides.example/mcp", "headers": { "Authorization": "Bearer k1" } },
    "charts": { "command": "bunx", "args": ["charts-mcp"] }
  }
}
`,
    servers: { tides: ["https://tides.example/mcp", { Authorization: "Bearer k1" }], charts: ["bunx charts-mcp", {}] },
  },
  {
    client: "amp",
    path: ".amp/settings.json",
    text: `{
  "amp.notifications.enabled": false,
  "amp.mcpServers": {
    "charts": { "command": "npx", "args": ["-y", "charts-mcp"], "env": { "KEY": "\${CHARTS_KEY}" }, "includeTools": ["read_*"] },
    "winds": { "command": "winds-mcp", "disabled": true }
  }
}
`,
    servers: { charts: ["npx -y charts-mcp", { KEY: "ck" }] },
    off: ["winds"],
  },
  {
    client: "amp",
    path: "~/.config/amp/settings.jsonc",
    text: `{
  // where the tides are
  "amp.mcpServers": { "tides": { "url": "https://tides.example/mcp", "headers": { "X-Key": "\${TIDES_KEY}" }, }, },
}
`,
    servers: { tides: ["https://tides.example/mcp", { "X-Key": "tk" }] },
  },
  {
    client: "kiro",
    path: ".kiro/settings/mcp.json",
    text: `{
  "mcpServers": {
    "charts": { "command": "uvx", "args": ["charts-mcp@latest"], "env": { "KEY": "\${CHARTS_KEY}" }, "disabled": false, "autoApprove": ["read"] },
    "winds": { "command": "winds-mcp", "disabled": true }
  }
}
`,
    servers: { charts: ["uvx charts-mcp@latest", { KEY: "ck" }] },
    off: ["winds"],
  },
  {
    client: "kiro",
    path: "~/.kiro/settings/mcp.json",
    text: `{ "mcpServers": { "tides": { "url": "https://tides.example/mcp", "headers": { "X-Key": "\${TIDES_KEY}" }, "disabledTools": ["erase"] } } }`,
    servers: { tides: ["https://tides.example/mcp", { "X-Key": "tk" }] },
  },
  {
    client: "kiro",
    path: ".kiro/agents/pilot.json",
    text: `{
  "name": "pilot",
  "prompt": "Bring the ship in.",
  "mcpServers": { "charts": { "command": "charts-mcp", "args": ["--pilot"], "timeout": 120000 } },
  "tools": ["read", "@charts"]
}
`,
    servers: { charts: ["charts-mcp --pilot", {}] },
  },
  {
    client: "junie",
    path: ".junie/mcp/mcp.json",
    text: `{ "mcpServers": { "charts": { "command": "npx", "args": ["-y", "charts-mcp"], "env": { "KEY": "k1" } } } }\n`,
    servers: { charts: ["npx -y charts-mcp", { KEY: "k1" }] },
  },
  {
    client: "junie",
    path: "~/.junie/mcp/mcp.json",
    text: `{\n  "mcpServers": {\n    "tides": { "url": "https://tides.example/mcp", "headers": { "X-Key": "k2" } }\n  }\n}\n`,
    servers: { tides: ["https://tides.example/mcp", { "X-Key": "k2" }] },
  },
  {
    client: "trae",
    path: ".trae/mcp.json",
    text: `{ "mcpServers": { "charts": { "command": "npx", "args": ["-y", "charts-mcp"], "env": { "KEY": "k1" } } } }`,
    servers: { charts: ["npx -y charts-mcp", { KEY: "k1" }] },
  },
  {
    client: "trae",
    path: "~/.config/Trae/User/mcp.json",
    text: `{\n  "mcpServers": { "tides": { "url": "https://tides.example/mcp", "headers": { "X-Key": "k2" } } }\n}\n`,
    servers: { tides: ["https://tides.example/mcp", { "X-Key": "k2" }] },
  },
  {
    client: "factory",
    path: ".factory/mcp.json",
    text: `{
  "mcpServers": {
    "charts": { "type": "stdio", "command": "npx", "args": ["-y", "charts-mcp"], "env": { "KEY": "\${CHARTS_KEY}" }, "disabled": false },
    "winds": { "type": "http", "url": "https://winds.example/mcp", "disabled": true }
  }
}
`,
    servers: { charts: ["npx -y charts-mcp", { KEY: "ck" }] },
    off: ["winds"],
  },
  {
    client: "factory",
    path: "~/.factory/mcp.json",
    text: `{ "mcpServers": { "tides": { "type": "http", "url": "https://tides.example/mcp", "headers": { "X-Key": "\${TIDES_KEY}" } } } }`,
    servers: { tides: ["https://tides.example/mcp", { "X-Key": "tk" }] },
  },
];
