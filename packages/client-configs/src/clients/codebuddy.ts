import type { Client } from "../client.ts";
import { COMMON, MCP_SERVERS } from "./common-forms.ts";

export const CODEBUDDY: Client = {
  id: "codebuddy",
  name: "CodeBuddy",
  files: [
    { scope: "user", path: "~/.codebuddy.json", member: ["projects", "{project}", "mcpServers"] },
    { scope: "project", path: ".mcp.json", member: MCP_SERVERS },
    {
      scope: "project",
      path: ".codebuddy/mcp.json",
      member: MCP_SERVERS,
      unverified: "the path, which repositories use to commit servers",
    },
    { scope: "user", path: "~/.codebuddy/.mcp.json", member: MCP_SERVERS },
    { scope: "user", path: "~/.codebuddy/mcp.json", member: MCP_SERVERS },
    { scope: "user", path: "~/.codebuddy.json", member: MCP_SERVERS },
  ],
  merge: { by: "entry", source: "https://www.codebuddy.ai/docs/cli/mcp" },
  spelling: { ...COMMON, http: '`type: "http"`, `url`, `headers`' },
  off: [],
  source: "https://www.codebuddy.ai/docs/cli/mcp",
};
