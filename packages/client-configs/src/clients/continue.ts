import type { Client } from "../client.ts";
import { MCP_SERVERS } from "./common-forms.ts";

export const CONTINUE: Client = {
  id: "continue",
  name: "Continue",
  references: "continue",
  files: [
    { scope: "project", path: ".continue/mcpServers/*.yaml", member: MCP_SERVERS },
    { scope: "project", path: ".continue/mcpServers/*.json", member: MCP_SERVERS },
    { scope: "user", path: "~/.continue/config.yaml", member: MCP_SERVERS },
  ],
  spelling: {
    stdio: "a list: `name`, `command`, `args`, `env`, `cwd`",
    http: '`name`, `type: "streamable-http"`, `url`, `requestOptions.headers`',
  },
  off: [],
  source: "https://docs.continue.dev/customize/deep-dives/mcp",
};
