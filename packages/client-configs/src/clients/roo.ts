import type { Client } from "../client.ts";
import { COMMON, inEditor, MCP_SERVERS } from "./common-forms.ts";

export const ROO: Client = {
  id: "roo",
  name: "Roo Code",
  files: [
    { scope: "project", path: ".roo/mcp.json", member: MCP_SERVERS },
    {
      scope: "user",
      path: inEditor("Code", "globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"),
      member: MCP_SERVERS,
      unverified: "the folder: the page names only the file `mcp_settings.json`",
    },
  ],
  merge: { by: "entry", source: "https://docs.roocode.com/features/mcp/using-mcp-in-roo" },
  spelling: { ...COMMON, http: '`type: "streamable-http"`, `url`, `headers`' },
  off: ["disabled: true"],
  source: "https://docs.roocode.com/features/mcp/using-mcp-in-roo",
};
