import type { Rules } from "@agentprint/findings";

/** The id of a rule about lists of tools. */
export type PermissionRuleId = "mcp/permission-renamed" | "mcp/permission-ended" | "mcp/permission-widened";

/** The rules on entries of clients' lists of tools that a change of a server's tools affects. */
export const PERMISSION_RULES: Rules<PermissionRuleId> = {
  "mcp/permission-renamed": {
    level: "error",
    summary: "A list of a client or of the policy names a tool by a name that the server no longer uses.",
    help: "Write the new name into the list. It is a warning where the list allows, because nothing more is called than before.",
    why: "What is denied, asked about or limited under the old name goes through under the new one.",
    example: {
      text: "The server renames a denied tool.",
      before: "mcp__github__delete_repo",
      after: "delete_repository",
    },
  },
  "mcp/permission-ended": {
    level: "warning",
    summary: "An entry of a list covers no tool of a server any more.",
    help: "Take the entry out of the list, or write the name of the tool that took its place.",
    why: "An agent that was allowed to call the tool now fails, and an entry that covers nothing today covers whatever gets that name tomorrow.",
    example: { text: "The server removes an allowed tool.", before: "mcp__github__get_issue" },
  },
  "mcp/permission-widened": {
    level: "warning",
    summary: "An entry of a list that allows tools now also covers a new tool of the server.",
    help: "Name the tools in the list one by one, or review the new tool as one that is called without a question.",
    why: "A pattern that was written for yesterday's tools lets an agent call a tool that nobody had in mind.",
    example: {
      text: "The server adds a tool, and the list has a pattern.",
      before: "mcp__github__*",
      after: "merge_pull_request",
    },
  },
};
