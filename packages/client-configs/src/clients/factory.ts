import type { Client } from "../client.ts";
import { COMMON, MCP_SERVERS } from "./common-forms.ts";

export const FACTORY: Client = {
  id: "factory",
  name: "Factory",
  files: [
    {
      scope: "user",
      path: "~/.factory/mcp.json",
      member: MCP_SERVERS,
      unverified: "which folder applies: a version of the page names `~/.droid`",
    },
    { scope: "project", path: ".factory/mcp.json", member: MCP_SERVERS },
  ],
  merge: { by: "entry", source: "https://docs.factory.ai/cli/configuration/mcp" },
  spelling: { ...COMMON, http: '`type: "http"`, `url`, `headers`' },
  off: ["disabled: true"],
  source: "https://docs.factory.ai/cli/configuration/mcp",
};
