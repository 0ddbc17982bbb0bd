import type { Client } from "../client.ts";
import { inEditor, jsonOrJsonc, MCP_SERVERS } from "./common-forms.ts";

export const KILO: Client = {
  id: "kilo",
  name: "Kilo Code",
  references: "kilo",
  files: [
    ...jsonOrJsonc({ scope: "project", member: ["mcp"] }, ".kilo/kilo"),
    ...jsonOrJsonc({ scope: "project", member: ["mcp"] }, "kilo"),
    ...jsonOrJsonc({ scope: "project", member: ["mcp"] }, "opencode"),
    { scope: "project", path: ".kilocode/mcp.json", member: MCP_SERVERS },
    ...jsonOrJsonc({ scope: "user", member: ["mcp"] }, "~/.config/kilo/kilo"),
    ...jsonOrJsonc({ scope: "user", member: ["mcp"] }, "~/.config/kilo/opencode"),
    { scope: "user", path: "~/.config/kilo/config.json", member: ["mcp"] },
    {
      scope: "user",
      path: "~/.kilocode/cli/global/settings/mcp_settings.json",
      member: MCP_SERVERS,
      source: "https://kilo.ai/docs/automate/mcp/using-in-cli",
    },
    {
      scope: "user",
      path: inEditor("Code", "globalStorage/kilocode.kilo-code/settings/mcp_settings.json"),
      member: MCP_SERVERS,
      unverified: "the folder: the page names only the file `mcp_settings.json`",
    },
  ],
  merge: {
    by: "entry",
    source: "https://kilo.ai/docs/automate/mcp/using-in-kilo-code",
    unverified: "that entries are not merged, and the order within one scope; the page has the order of the scopes",
  },
  spelling: {
    stdio: '`type: "local"`, `command` (a list), `environment`; below `mcpServers`: `command`, `args`, `env`',
    http: '`type: "remote"`, `url`, `headers`; below `mcpServers`: `type: "streamable-http"`, `url`, `headers`',
  },
  off: ["enabled: false", "disabled: true"],
  source: "https://kilo.ai/docs/automate/mcp/using-in-kilo-code",
};
