import type { Rules } from "@agentprint/findings";

/** The rules of what a check finds where the configurations of a project and its lock do not agree. */
export const CONFIG_RULES: Rules<
  | "mcp/config-launch-changed"
  | "mcp/config-runs-command"
  | "mcp/name-in-another-case"
  | "mcp/not-pinned"
  | "mcp/config-entry-gone"
  | "mcp/config-entry-renamed"
> = {
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
  "mcp/config-runs-command": {
    level: "error",
    summary: "A configuration makes its client run a command, or load code, beside the servers that the lock holds.",
    help: 'Take it out: write the header with a reference to a variable, and start a server by an entry of its own. Or accept the command as it is, with the path of the finding, which has a digest of the command and of the files that it names: `"ignores": [{ "rule": "mcp/config-runs-command", "path": "/headersHelper/5f2c…", "until": "2027-12-31", "reason": "reads the token" }]` in `agentprint.config.json`, and `agentprint approve --policy`.',
    why: "The client runs it on each connection, with the rights of its user. The lock holds launches of servers, and another command here would change none of them.",
    example: { text: "A change adds `headersHelper` to the entry of an address.", after: "sh -c ./token.sh" },
  },
  "mcp/name-in-another-case": {
    level: "error",
    summary: "The name of a file that clients read is written in another case.",
    help: "Give the file the name that the documentation of its client has, or take it out of the project. Where two names differ in nothing but case, keep one.",
    why: "Clients on macOS and Windows open it under the usual name. On Linux, where most checks run, nothing reads it, and no check compares it.",
    example: { text: "A change adds `.MCP.json`, which clients on macOS read as `.mcp.json`." },
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
  "mcp/config-entry-renamed": {
    level: "note",
    isRemark: true,
    summary: "A configuration has another name for a pinned server than when it was pinned.",
    help: "Look whether lists of allowed tools name the server. Pin it under its new name, or give the entry its old one back.",
    why: "Permission rules of clients name servers: what was allowed or forbidden under the old name is neither under the new one.",
    example: { text: "The entry `files` of `.mcp.json` is called `my-files` now.", before: "files", after: "my-files" },
  },
};
