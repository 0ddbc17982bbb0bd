import type { Client } from "../client.ts";
import { MCP_SERVERS } from "./common-forms.ts";

const NEWEST = "https://qwenlm.github.io/qwen-code-docs/1.x/en/users/mcp/";

export const QWEN: Client = {
  id: "qwen",
  name: "Qwen Code",
  references: "gemini",
  files: [
    { scope: "user", path: ".qwen/settings.local.json", member: MCP_SERVERS, source: NEWEST },
    { scope: "project", path: ".mcp.json", member: MCP_SERVERS, source: NEWEST },
    { scope: "project", path: ".qwen/settings.json", member: MCP_SERVERS },
    { scope: "user", path: "~/.qwen/settings.json", member: MCP_SERVERS },
  ],
  merge: {
    by: "entry",
    source: NEWEST,
    unverified:
      "that entries are not merged, and the order of the scopes; the page gives only the order of the project's files",
  },
  spelling: {
    stdio: "`command`, `args`, `env`, `cwd`",
    http: "`httpUrl` (streamable) or `url` (SSE), `headers`",
  },
  off: ["mcp patterns"],
  source: "https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp/",
};
