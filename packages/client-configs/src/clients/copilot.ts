import type { Client } from "../client.ts";
import { MCP_SERVERS } from "./common-forms.ts";

export const COPILOT: Client = {
  id: "copilot",
  name: "GitHub Copilot CLI",
  files: [
    { scope: "project", path: ".mcp.json", member: MCP_SERVERS },
    { scope: "project", path: ".github/mcp.json", member: MCP_SERVERS },
    { scope: "user", path: "$COPILOT_HOME/mcp-config.json", member: MCP_SERVERS },
  ],
  merge: {
    by: "entry",
    source: "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers",
    unverified: "that `.mcp.json` precedes `.github/mcp.json`; the page has the order of folders and scopes",
  },
  spelling: {
    stdio: '`type: "local"` or `"stdio"`, `command`, `args`, `env`',
    http: '`type: "http"`, `url`, `headers`',
  },
  off: [],
  source: "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers",
};
