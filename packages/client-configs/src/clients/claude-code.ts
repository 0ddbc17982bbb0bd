import type { Client, SettingsFile } from "../client.ts";
import { COMMON, MCP_SERVERS } from "./common-forms.ts";

/** Returns a Claude Code settings file that rejects servers in `.mcp.json`. */
function rejections(path: string, isPersonal: boolean): SettingsFile {
  const source = "https://code.claude.com/docs/en/settings-reference#disabledmcpjsonservers";
  return { path, member: "disabledMcpjsonServers", isPersonal, source };
}

export const CLAUDE_CODE: Client = {
  id: "claude-code",
  name: "Claude Code",
  variables: {
    form: `\${NAME}`,
    source: "https://code.claude.com/docs/en/mcp",
    unverified: "that a user's file can have them, too: the page mentions only `.mcp.json`",
  },
  files: [
    { scope: "user", path: "~/.claude.json", member: ["projects", "{project}", "mcpServers"] },
    {
      scope: "project",
      path: ".mcp.json",
      member: MCP_SERVERS,
      settings: [
        rejections(".claude/settings.json", false),
        rejections(".claude/settings.local.json", true),
        rejections("~/.claude/settings.json", true),
      ],
    },
    { scope: "user", path: "~/.claude.json", member: MCP_SERVERS },
  ],
  merge: { by: "entry", source: "https://code.claude.com/docs/en/mcp" },
  spelling: { ...COMMON, http: '`type: "http"`, `url`, `headers`' },
  off: [],
  source: "https://code.claude.com/docs/en/mcp",
};
