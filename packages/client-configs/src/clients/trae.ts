import type { Client } from "../client.ts";
import { COMMON, inEditor, MCP_SERVERS } from "./common-forms.ts";

export const TRAE: Client = {
  id: "trae",
  name: "Trae",
  files: [
    { scope: "project", path: ".trae/mcp.json", member: MCP_SERVERS },
    {
      scope: "user",
      path: inEditor("Trae", "mcp.json"),
      member: MCP_SERVERS,
      unverified: "the folder: the page names only the file `mcp.json`",
    },
  ],
  spelling: COMMON,
  off: [],
  source: "https://www.volcengine.com/docs/86677/2137601",
};
