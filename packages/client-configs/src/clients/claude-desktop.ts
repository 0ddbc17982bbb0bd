import type { Client } from "../client.ts";
import { COMMON, MCP_SERVERS } from "./common-forms.ts";

export const CLAUDE_DESKTOP: Client = {
  id: "claude-desktop",
  name: "Claude Desktop",
  files: [
    {
      scope: "user",
      path: {
        darwin: "~/Library/Application Support/Claude/claude_desktop_config.json",
        linux: "$XDG_CONFIG_HOME/Claude/claude_desktop_config.json",
        win32: "%APPDATA%/Claude/claude_desktop_config.json",
      },
      member: MCP_SERVERS,
      unverified: "the path on Linux, for which the application is not available",
    },
  ],
  spelling: { ...COMMON, http: "none in the file" },
  off: [],
  source: "https://modelcontextprotocol.io/quickstart/user",
};
