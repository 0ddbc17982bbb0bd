import type { Client } from "../client.ts";
import { COMMON, MCP_SERVERS } from "./common-forms.ts";

export const CURSOR: Client = {
  id: "cursor",
  name: "Cursor",
  variables: {
    form: `\${env:NAME}`,
    source: "https://cursor.com/docs/mcp",
  },
  files: [
    { scope: "project", path: ".cursor/mcp.json", member: MCP_SERVERS },
    { scope: "user", path: "~/.cursor/mcp.json", member: MCP_SERVERS },
  ],
  merge: {
    by: "entry",
    source: "https://cursor.com/docs/cli/mcp",
    unverified: "that entries are not merged; the page has the order of the files",
  },
  spelling: { ...COMMON, stdio: "`command`, `args`, `env`, `envFile`" },
  off: [],
  source: "https://cursor.com/docs/mcp",
};
