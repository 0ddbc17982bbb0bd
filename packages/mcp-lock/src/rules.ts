import { deepFreeze } from "@agentprint/canonical-json";
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
  | "client-changed"
  | "client-capabilities-changed"
  | "server-changed"
  | "supported-versions-changed"
  | "era-changed"
  | "era-divergence"
  | "client-divergence"
  | "undeclared-list"
  | "invalid-tool-header"
  | "unstable-member"
  | "outdated-entry"
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
export const DRIFT_RULES: Readonly<Record<DriftRuleId, Rule>> = deepFreeze({
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
  "client-changed": {
    summary: "The visit spoke as another client than when the server was pinned.",
    help: "Check as the client of the lock (without `--as`), or pin the server again as the new one.",
  },
  "supported-versions-changed": {
    summary: "The server names other protocol versions that it supports. It is a note: no outcome depends on it.",
    help: "Nothing has to be done; `agentprint approve <server>` takes the new list.",
  },
  "era-changed": {
    summary:
      "The server began or ceased to speak MCP with the initialize handshake (2025-11-25 and older) or without (2026-07-28).",
    help: APPROVE,
  },
  "era-divergence": {
    summary: "Clients of the two eras of the protocol are shown different things, so a review of one misses the other.",
    help: "Ask the author of the server why, and review both; the lock holds each with the sessions that saw it.",
  },
  "client-divergence": {
    summary: "A common client and a bare one are shown different things: the server decides by who asks.",
    help: "Review both; the lock holds each with the sessions that saw it. A server may hide from a check what it shows a user.",
  },
  "undeclared-list": {
    summary:
      "The server lists items of a kind that its capabilities do not declare. Some clients show them to the model.",
    help: "Review the items as all others: they are pinned. Ask the author of the server to declare the capability.",
  },
  "invalid-tool-header": {
    summary:
      "An x-mcp-header of the tool breaks the rules of MCP, so that clients over HTTP have to leave out the tool.",
    help: "Ask the author of the server to correct it. The tool is pinned all the same: not every client leaves it out.",
  },
  "unstable-member": {
    summary: "A member outside the items has another value each time the server is asked; the lock does not pin it.",
    help: "Pin the server again without `--allow-unstable` when the member holds still.",
  },
  "outdated-entry": {
    summary: "The entry was pinned by an older version of the lock, which saw less of a server.",
    help: "Run `agentprint pin --renew <server>`; it shows what it adds before it writes.",
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
});
