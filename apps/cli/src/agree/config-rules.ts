import type { Rules } from "@agentprint/findings";

/** The rules of what a check finds where the configurations of a project and its lock do not agree. */
export const CONFIG_RULES: Rules<"mcp/config-launch-changed" | "mcp/not-pinned" | "mcp/config-entry-gone"> = {
  "mcp/config-launch-changed": {
    level: "error",
    summary: "An entry of a client's configuration launches a server otherwise than it was pinned.",
    help: "Look at what the other launch brings, where it may run: `agentprint check --allow-changed-launch`. Then approve it, or put the locked launch back.",
    why: "Clients start what the configuration says. What the lock holds was reviewed, and is not what runs.",
    example: {
      text: "Somebody moved the version in `.mcp.json`.",
      before: "npx -y @modelcontextprotocol/server-filesystem@2026.1.14 .",
      after: "npx -y @modelcontextprotocol/server-filesystem@2026.7.4 .",
    },
  },
  "mcp/not-pinned": {
    level: "error",
    summary: "A configuration of the project has a server that the lock does not have.",
    help: 'Pin it: `agentprint init`. Or switch the entry off in its configuration. Or leave it out: `"ignores": [{ "rule": "mcp/not-pinned", "server": "files", "until": "2027-12-31", "reason": "needs an account" }]` in `agentprint.config.json`, and `agentprint approve --policy`. It is a warning where another command than `init` made the lock.',
    why: "Clients start the server, and nobody has reviewed what it offers.",
    example: { text: "A change adds a server to `.mcp.json`.", after: "npx -y my-files-server@1.2.3 ." },
  },
  "mcp/config-entry-gone": {
    level: "note",
    isRemark: true,
    summary: "No configuration of the project launches a pinned server any more.",
    help: "Where nobody uses it any more, take it out of the lock: `agentprint remove <server>`.",
    why: "A lock that holds what nobody uses is longer to review, and the check starts the server for nothing.",
    example: { text: "The entry was taken out of `.mcp.json`.", before: "npx -y my-files-server@1.2.3 ." },
  },
};
