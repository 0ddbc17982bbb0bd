import type { Rule } from "@agentprint/report";

/** The rules of the notes that `check --base` makes of what a change accepts. */
export const LOCK_RULES: Readonly<Record<"lock/server-added" | "lock/server-removed" | "lock/visit-changed", Rule>> = {
  "lock/server-added": {
    level: "note",
    summary: "The change pins a server that the lock of the base does not have.",
    help: "Look at its launch and its tools before the change is merged: `agentprint show <server>`.",
  },
  "lock/server-removed": {
    level: "note",
    summary: "The change takes a server out of the lock, so that nobody checks the server any more.",
    help: "Ask whether the server is still used before the change is merged.",
  },
  "lock/visit-changed": {
    level: "note",
    summary: "The change pins a server by a visit in other sessions, or without members that differ at each reading.",
    help: "What the visit did not ask for is not pinned any more: ask why, or pin the server again in all views.",
  },
};
