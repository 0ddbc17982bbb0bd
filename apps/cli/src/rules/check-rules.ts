import type { Rules } from "@agentprint/findings";

/** The rules for the findings of a check about differences between a project's configurations and its lock. */
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
    summary: "An entry in a client's configuration launches a server differently than pinned.",
    help: "If it is safe to run, see what the changed launch does: `agentprint check --allow-changed-launch`. Then approve it, or restore the locked launch.",
    why: "Clients start the servers in the configuration. The lock's launch was reviewed, but a different one runs.",
    example: {
      text: "Someone changed the version in `.mcp.json`.",
      before: "npx -y @modelcontextprotocol/server-filesystem@2026.1.14 .",
      after: "npx -y @modelcontextprotocol/server-filesystem@2026.7.4 .",
    },
  },
  "mcp/config-runs-command": {
    level: "error",
    summary: "A configuration makes its client run a command, or load code, in addition to the servers in the lock.",
    help: 'Take it out: write the header with a reference to a variable, and start a server by an entry of its own. Or accept the command as it is, with the path of the finding, which has a digest of the command and of the files that it names: `"ignores": [{ "rule": "mcp/config-runs-command", "path": "/headersHelper/5f2c…", "until": "2027-12-31", "reason": "reads the token" }]` in `agentprint.config.json`, and `agentprint approve --policy`.',
    why: "The client runs it on each connection, with the rights of its user. The lock holds only the launches of servers, so a different command here would change nothing in it.",
    example: { text: "A change adds `headersHelper` to the entry of an address.", after: "sh -c ./token.sh" },
  },
  "mcp/name-in-another-case": {
    level: "error",
    summary: "The name of a file that clients read is written in a different case.",
    help: "Give the file the name that its client documents, or remove it from the project. If two names differ only in case, keep one.",
    why: "Clients on macOS and Windows open the file under the usual name. On Linux, where most checks run, nothing reads it, and no check compares it.",
    example: { text: "A change adds `.MCP.json`, which clients on macOS read as `.mcp.json`." },
  },
  "mcp/not-pinned": {
    level: "error",
    summary: "A configuration of the project has a server that the lock does not have.",
    help: 'Pin it: `agentprint init`. Or switch the entry off in its configuration. Or leave it out: `"ignores": [{ "rule": "mcp/not-pinned", "server": "files", "until": "2027-12-31", "reason": "needs an account" }]` in `agentprint.config.json`, and `agentprint approve --policy`. It is a warning where another command than `init` made the lock.',
    why: "Clients start the server, and nobody has reviewed its definitions.",
    example: { text: "A change adds a server to `.mcp.json`.", after: "npx -y my-files-server@1.2.3 ." },
  },
  "mcp/config-entry-gone": {
    level: "note",
    isRemark: true,
    summary: "No configuration of the project launches a pinned server any more.",
    help: "If nobody uses the server any more, remove it from the lock: `agentprint remove <server>`.",
    why: "Unused entries take time to review, and the check starts the server for nothing.",
    example: { text: "The entry was removed from `.mcp.json`.", before: "npx -y my-files-server@1.2.3 ." },
  },
  "mcp/config-entry-renamed": {
    level: "note",
    isRemark: true,
    summary: "A pinned server has a different name in a configuration than when it was pinned.",
    help: "Check whether lists of allowed tools name the server. Pin the server under its new name, or give the entry its old name back.",
    why: "Clients' permission rules name servers, so a rule for the old name does not apply to the new one.",
    example: { text: "The entry `files` of `.mcp.json` is called `my-files` now.", before: "files", after: "my-files" },
  },
};

/** The id of a rule about lists of tools. */
export type PermissionRuleId = "mcp/permission-renamed" | "mcp/permission-ended" | "mcp/permission-widened";

/** The rules about entries in clients' tool lists that a change to a server's tools affects. */
export const PERMISSION_RULES: Rules<PermissionRuleId> = {
  "mcp/permission-renamed": {
    level: "error",
    summary: "A client's list or the policy names a tool by a name that the server no longer uses.",
    help: "Write the new name into the list. It is a warning if the list allows tools, because no additional tool can be called.",
    why: "A call that is denied, asked about or limited under the old name is allowed under the new one.",
    example: {
      text: "The server renames a denied tool.",
      before: "mcp__github__delete_repo",
      after: "delete_repository",
    },
  },
  "mcp/permission-ended": {
    level: "warning",
    summary: "An entry in a list no longer covers any tool of a server.",
    help: "Remove the entry from the list, or write the name of the tool that replaced it.",
    why: "An agent that was allowed to call the tool now fails, and an entry that covers no tool today covers any later tool with that name.",
    example: { text: "The server removes an allowed tool.", before: "mcp__github__get_issue" },
  },
  "mcp/permission-widened": {
    level: "warning",
    summary: "An entry in a list that allows tools now also covers a new tool of the server.",
    help: "Name the tools in the list one by one, or review the new tool as one that is called without asking.",
    why: "A pattern written for yesterday's tools lets an agent call a tool that its author did not foresee.",
    example: {
      text: "The server adds a tool, and the list has a pattern.",
      before: "mcp__github__*",
      after: "merge_pull_request",
    },
  },
};

/** The rules for the findings of a check about the configurations of clients on this machine. */
export const CLIENT_RULES: Rules<"client/guard-replaced"> = {
  "client/guard-replaced": {
    level: "error",
    summary: "An entry in a client's configuration does not start the guard that `agentprint wrap` put in front of it.",
    help: "Check the entry, then run `agentprint wrap` again, or `agentprint unwrap` to give up the guard.",
    why: "The client starts the server, or another program, without the guard.",
    example: {
      text: "The version of agentprint became an alias of another package.",
      before: "npx -y agentprint@1.0.0 guard files --lock /home/me/app/agentprint.lock -- npx -y files-server@1.2.3 .",
      after:
        "npx -y agentprint@npm:other@1.0.0 guard files --lock /home/me/app/agentprint.lock -- npx -y files-server@1.2.3 .",
    },
    fixedBecause: "a policy decides what happens behind the guard, not what replaces it",
  },
};

/** The rules for the notes of `check --base` on what a change accepts, and for those of `check`, `pin` and `init` on the lock alone. */
export const LOCK_RULES: Rules<
  | "lock/server-added"
  | "lock/server-removed"
  | "lock/author-keys"
  | "lock/pin-not-verified"
  | "lock/list-by-login"
  | "lock/secret-left-out"
> = {
  "lock/server-added": {
    level: "note",
    summary: "The change pins a server that the base's lock does not have.",
    help: "Review its launch and its tools before the change is merged: `agentprint show <server>`.",
    why: "Whoever merges the change accepts the server with everything that it offers.",
    example: { text: "A change adds its own server.", after: "npx -y my-files-server@1.2.3 ., 14 tools" },
  },
  "lock/server-removed": {
    level: "note",
    summary: "The change removes a server from the lock, so nobody checks the server any more.",
    help: "Ask whether the server is still used before the change is merged.",
    why: "Clients that still start the server receive its future changes, unreviewed.",
    example: { text: "A server that failed its check is gone.", before: "npx -y my-files-server@1.2.3 ., 14 tools" },
  },
  "lock/author-keys": {
    level: "note",
    summary: "The change accepts that an author's key is replaced or revoked.",
    help: "Before the change is merged, compare a new key with the one that the author publishes elsewhere.",
    why: "Whoever has the new key signs for the server from then on.",
    example: {
      text: "The author of the server has a new key.",
      after: ["MCowBQYDK2VwAyEA11qY… replaces MCowBQYDK2VwAyEAPUAX…"],
    },
  },
  "lock/list-by-login": {
    level: "note",
    summary:
      "Two entries are the same server with different logins, and one of its lists depends on the login. The finding is a note, which does not affect the outcome.",
    help: "Compare the two accounts' tools: `agentprint diff` compares the entries, and `agentprint show <server>` lists one.",
    why: "A server can show different tools to different accounts. A review for one does not cover the other.",
    example: { text: "An administrator is offered an additional tool.", before: ["read"], after: ["delete", "read"] },
  },
  "lock/secret-left-out": {
    level: "warning",
    summary:
      "A word of the launch contains a secret, which the lock does not keep. The finding is a note if a client's configuration contains the launch.",
    help: "Set the variable that the note names to the secret, and run the command in the note: the launch then refers to the variable instead of containing the secret, and the server can be started from the lock.",
    why: "A lock is committed and read by many. Without the secret, check, approve and guard cannot start the server from the lock.",
    example: {
      text: "A key is an argument of the launch.",
      before: "npx -y my-files-server@1.2.3 --api-key=…",
      after: `npx -y my-files-server@1.2.3 --api-key=\${env:FILES_API_KEY}`,
    },
  },
  "lock/pin-not-verified": {
    level: "warning",
    summary:
      "Nobody has pinned or approved the server for longer than `--max-age` allows. The finding does not affect the outcome.",
    help: "Review the server, and run `agentprint pin --replace` or `agentprint approve` with a change; commit the lock.",
    why: "A configuration that was right at the last review can be wrong for the server's current use.",
    example: { text: "A server was pinned a year ago, and never reviewed again.", before: "commit 4f2a…" },
  },
};
