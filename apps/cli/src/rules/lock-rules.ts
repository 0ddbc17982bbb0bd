import type { Rules } from "@agentprint/findings";

/** The rules of the notes that `check --base` makes of what a change accepts, and those that `check` makes of the lock alone. */
export const LOCK_RULES: Rules<
  | "lock/server-added"
  | "lock/server-removed"
  | "lock/visit-changed"
  | "lock/author-keys"
  | "lock/pin-not-verified"
  | "lock/list-by-login"
> = {
  "lock/server-added": {
    level: "note",
    summary: "The change pins a server that the lock of the base does not have.",
    help: "Look at its launch and its tools before the change is merged: `agentprint show <server>`.",
    why: "Whoever merges the change accepts the server with everything that it offers.",
    example: { text: "A change brings its own server.", after: "npx -y my-files-server@1.2.3 ., 14 tools" },
  },
  "lock/server-removed": {
    level: "note",
    summary: "The change takes a server out of the lock, so that nobody checks the server any more.",
    help: "Ask whether the server is still used before the change is merged.",
    why: "Clients that still start the server get what it says next, unseen.",
    example: { text: "A server that failed its check is gone.", before: "npx -y my-files-server@1.2.3 ., 14 tools" },
  },
  "lock/visit-changed": {
    level: "note",
    summary: "The change pins a server by a visit in other sessions, or without members that differ at each reading.",
    help: "What the visit did not ask for is not pinned any more: ask why, or pin the server again in all views.",
    why: "A server can say in one session what it does not say in another one.",
    example: {
      text: "The server was pinned again, and the bare client was left out.",
      before: { sessions: ["legacy/bare", "legacy/client"] },
      after: { sessions: ["legacy/client"] },
    },
  },
  "lock/author-keys": {
    level: "note",
    summary: "The change accepts that a key of an author is replaced or revoked.",
    help: "Compare a new key with the one that the author publishes elsewhere, before the change is merged.",
    why: "Whoever has the new key signs for the server from then on.",
    example: {
      text: "The author of the server has a new key.",
      after: ["MCowBQYDK2VwAyEA11qY… replaces MCowBQYDK2VwAyEAPUAX…"],
    },
  },
  "lock/list-by-login": {
    level: "note",
    summary:
      "Two entries are one server by different logins, and a list of it depends on the login. It is a note: no outcome depends on it.",
    help: "Look at what the other account is offered: `agentprint diff` compares the entries, and `agentprint show <server>` lists one.",
    why: "A server can show one account what it hides from another one. What was reviewed for the one says nothing of the other.",
    example: { text: "An administrator is offered one more tool.", before: ["read"], after: ["delete", "read"] },
  },
  "lock/pin-not-verified": {
    level: "warning",
    summary: "Nobody has pinned or approved the server for longer than `--max-age` allows. No outcome depends on it.",
    help: "Look at the server, and run `agentprint pin --replace` or `agentprint approve` with a change; commit the lock.",
    why: "What was right when somebody looked last can be wrong for what the server is used for now.",
    example: { text: "A server was pinned a year ago, and never looked at again.", before: "commit 4f2a…" },
  },
};
