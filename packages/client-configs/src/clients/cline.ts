import type { Client } from "../client.ts";
import { COMMON, inEditor, MCP_SERVERS } from "./common-forms.ts";

export const CLINE: Client = {
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
      path: inEditor("Code", "globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"),
      member: MCP_SERVERS,
      unverified: "the path, which extension versions before the shared folder use",
    },
  ],
  spelling: { ...COMMON, http: '`type: "streamableHttp"`, `url`, `headers`' },
  off: ["disabled: true"],
  source: "https://docs.cline.bot/mcp/adding-and-configuring-servers",
};
