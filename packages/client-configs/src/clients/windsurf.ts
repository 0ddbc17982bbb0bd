import type { Client } from "../client.ts";
import { COMMON, MCP_SERVERS } from "./common-forms.ts";

export const WINDSURF: Client = {
  id: "windsurf",
  name: "Windsurf",
  variables: {
    form: `\${env:NAME}`,
    source: "https://docs.windsurf.com/windsurf/cascade/mcp",
  },
  files: [{ scope: "user", path: "~/.codeium/windsurf/mcp_config.json", member: MCP_SERVERS }],
  spelling: { ...COMMON, http: "`serverUrl` or `url`, `headers`" },
  off: ["disabled: true"],
  source: "https://docs.windsurf.com/windsurf/cascade/mcp",
};
