import type { Client } from "../client.ts";
import { COMMON, MCP_SERVERS } from "./common-forms.ts";

export const JUNIE: Client = {
  id: "junie",
  name: "Junie",
  files: [
    { scope: "project", path: ".junie/mcp/mcp.json", member: MCP_SERVERS },
    { scope: "user", path: "~/.junie/mcp/mcp.json", member: MCP_SERVERS },
  ],
  spelling: COMMON,
  off: [],
  source: "https://junie.jetbrains.com/docs/junie-cli-mcp-configuration.html",
};
