import type { Rule } from "@agentprint/report";

const APPROVE = "Review the change, then run `agentprint approve <server>`, or go back to the version that was locked.";

/** The id of a rule of a drift report. */
export type DriftRuleId =
  | "tool-contract-changed"
  | "tool-prose-changed"
  | "tool-hints-changed"
  | "tool-rest-changed"
  | "tool-renamed"
  | "item-added"
  | "item-removed"
  | "item-changed"
  | "launch-changed"
  | "client-capabilities-changed"
  | "server-changed"
  | "server-not-locked"
  | "name-collision"
  | "could-not-tell";

/**
 * What each finding of a drift report means and what to do about it, by the id that the finding names.
 *
 * @example
 * ```ts
 * import { DRIFT_RULES } from "@agentprint/mcp-lock";
 *
 * console.log(DRIFT_RULES["item-removed"].summary); // "Something that was locked is gone."
 * ```
 */
export const DRIFT_RULES: Readonly<Record<DriftRuleId, Rule>> = {
  "tool-contract-changed": {
    summary: "The name or a schema of a tool changed: calls that were valid may fail or mean something else.",
    help: APPROVE,
  },
  "tool-prose-changed": {
    summary: "A text that the model reads changed: a description can carry new instructions.",
    help: APPROVE,
  },
  "tool-hints-changed": {
    summary: "The annotations of a tool changed: clients decide by them whether to ask before a call.",
    help: APPROVE,
  },
  "tool-rest-changed": { summary: "A member of a tool outside the other layers changed.", help: APPROVE },
  "tool-renamed": { summary: "A tool is gone and a new one is likely the same under another name.", help: APPROVE },
  "item-added": { summary: "The server offers something that was not locked.", help: APPROVE },
  "item-removed": { summary: "Something that was locked is gone.", help: APPROVE },
  "item-changed": { summary: "A prompt, resource or resource template changed.", help: APPROVE },
  "launch-changed": {
    summary: "The server is started or reached in another way than it was locked with.",
    help: APPROVE,
  },
  "client-capabilities-changed": {
    summary:
      "The client declared other capabilities than when the server was locked; servers adapt their tools to them.",
    help: "Check with the same capabilities (`--capabilities`), or pin the server again with the new ones.",
  },
  "server-changed": {
    summary: "What the server says of itself changed: protocol version, server info, capabilities or instructions.",
    help: APPROVE,
  },
  "server-not-locked": { summary: "The server has no entry in the lock.", help: "Pin it: `agentprint pin`." },
  "name-collision": {
    summary: "Several servers offer a tool of the same name, so one may answer in place of another.",
    help: "Rename one of them, or let the client prefix tool names with the name of the server.",
  },
  "could-not-tell": {
    summary: "The server could not be read, so nothing is known about drift.",
    help: "Start the server by hand with the command of the lock, fix what it says, check again.",
  },
};
