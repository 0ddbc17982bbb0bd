import type { Client } from "../client.ts";
import { MCP_SERVERS } from "./common-forms.ts";

export const GEMINI: Client = {
  id: "gemini",
  name: "Gemini CLI",
  references: "gemini",
  variables: {
    form: `\${NAME}`,
    source: "https://geminicli.com/docs/reference/configuration/",
  },
  files: [
    { scope: "project", path: ".gemini/settings.json", member: MCP_SERVERS },
    { scope: "user", path: "~/.gemini/settings.json", member: MCP_SERVERS },
  ],
  merge: {
    by: "entry",
    source: "https://geminicli.com/docs/cli/enterprise/",
    unverified: "that entries are not merged; the page says only that `mcpServers` are merged",
  },
  spelling: {
    stdio: "`command`, `args`, `env`, `cwd`",
    http: "`httpUrl` (streamable) or `url` (SSE), `headers`",
  },
  off: ["mcp lists"],
  source: "https://geminicli.com/docs/tools/mcp-server/",
};
