import { deepFreeze } from "@agentprint/canonical-json";

const APPROVE = "Review the change, then run `agentprint approve <server>`, or go back to the version that was locked.";

/** The level of a finding unless a policy sets another one; a `note` informs. */
export type FindingLevel = "error" | "warning" | "note";

/** The meaning of a rule, and what to do about its findings. */
export interface DriftRule {
  /** The level of the findings of this rule; a finding at a particular place can have another level. */
  readonly level: FindingLevel;
  readonly summary: string;
  readonly help: string;
}

/** The id of a rule of a check against the lock. */
export type DriftRuleId =
  | "mcp/tool-contract-changed"
  | "mcp/contract-unproven"
  | "mcp/schema-compatible"
  | "mcp/input-widened"
  | "mcp/tool-prose-changed"
  | "mcp/prose-signal"
  | "mcp/hint-more-power"
  | "mcp/hint-less-asking"
  | "mcp/hint-default-written"
  | "mcp/tool-hints-changed"
  | "mcp/tool-rest-changed"
  | "mcp/tool-renamed"
  | "mcp/item-added"
  | "mcp/item-removed"
  | "mcp/item-changed"
  | "mcp/launch-changed"
  | "mcp/client-changed"
  | "mcp/client-capabilities-changed"
  | "mcp/server-changed"
  | "mcp/supported-versions-changed"
  | "mcp/era-changed"
  | "mcp/era-divergence"
  | "mcp/client-divergence"
  | "mcp/undeclared-list"
  | "mcp/invalid-tool-header"
  | "mcp/unstable-member"
  | "mcp/outdated-entry"
  | "mcp/server-not-locked"
  | "mcp/name-collision"
  | "mcp/look-alike-name"
  | "mcp/hidden-text"
  | "mcp/missing-hints"
  | "mcp/floating-version"
  | "mcp/unknown-launcher"
  | "mcp/could-not-tell";

/**
 * The rules of a check against the lock by their ids: what a finding means and what to do about it.
 *
 * @example
 * ```ts
 * import { DRIFT_RULES } from "@agentprint/mcp-lock";
 *
 * console.log(DRIFT_RULES["mcp/item-removed"].summary); // "Something that was locked is gone."
 * ```
 */
export const DRIFT_RULES: Readonly<Record<DriftRuleId, DriftRule>> = /* @__PURE__ */ deepFreeze({
  "mcp/tool-contract-changed": {
    level: "error",
    summary: "A schema of a tool changed so that callers break: the note has a call or a result that proves it.",
    help: APPROVE,
  },
  "mcp/contract-unproven": {
    level: "error",
    summary:
      "A schema of a tool changed, and nobody could prove that callers can go on as before, nor that they break.",
    help: APPROVE,
  },
  "mcp/schema-compatible": {
    level: "error",
    summary: "A schema of a tool changed, and it is proven that callers can go on as before and can send nothing more.",
    help: APPROVE,
  },
  "mcp/input-widened": {
    level: "error",
    summary: "A tool takes more than before: a new parameter can carry data out that no call held until now.",
    help: "Read the new part of the schema with its texts as part of the prompt, then run `agentprint approve <server>`, or go back to the version that was locked.",
  },
  "mcp/tool-prose-changed": {
    level: "error",
    summary: "A text that the model reads changed: a description can carry new instructions.",
    help: APPROVE,
  },
  "mcp/prose-signal": {
    level: "error",
    summary:
      "A text that the model reads changed and has something new that instructions to a model need: the note names it.",
    help: "Read the whole text as the model will. The signals say where to look, not that the text is hostile.",
  },
  "mcp/hint-more-power": {
    level: "error",
    summary: "A tool says by a hint, or by a hint that is gone, that it may do more than it said before.",
    help: APPROVE,
  },
  "mcp/hint-less-asking": {
    level: "error",
    summary: "A tool says by a hint that it does less than it said before: clients ask their users less often.",
    help: "Make sure that the hint is true; a client that trusts it calls the tool without a question. Then run `agentprint approve <server>`.",
  },
  "mcp/hint-default-written": {
    level: "error",
    summary: "A hint was written or removed that changes nothing: it has its default value, or does not count.",
    help: APPROVE,
  },
  "mcp/tool-hints-changed": {
    level: "error",
    summary: "An annotation of a tool changed that is no standard hint with the value true or false.",
    help: APPROVE,
  },
  "mcp/tool-rest-changed": {
    level: "warning",
    summary: "A member of a tool outside the other layers changed.",
    help: APPROVE,
  },
  "mcp/tool-renamed": {
    level: "error",
    summary: "A tool is gone and a new one is likely the same under another name.",
    help: APPROVE,
  },
  "mcp/item-added": {
    level: "warning",
    summary: "The server offers something that was not locked.",
    help: APPROVE,
  },
  "mcp/item-removed": {
    level: "error",
    summary: "Something that was locked is gone.",
    help: APPROVE,
  },
  "mcp/item-changed": {
    level: "warning",
    summary: "A prompt, resource or resource template changed.",
    help: APPROVE,
  },
  "mcp/launch-changed": {
    level: "error",
    summary: "The server is started or reached in another way than it was locked with.",
    help: APPROVE,
  },
  "mcp/client-capabilities-changed": {
    level: "warning",
    summary:
      "The client declared other capabilities than when the server was locked; servers adapt their tools to them.",
    help: "Check with the same capabilities (`--capabilities`), or pin the server again with the new ones.",
  },
  "mcp/server-changed": {
    level: "error",
    summary: "What the server says of itself changed: protocol version, server info, capabilities or instructions.",
    help: APPROVE,
  },
  "mcp/client-changed": {
    level: "warning",
    summary: "The visit spoke as another client than when the server was pinned.",
    help: "Check as the client of the lock (without `--as`), or pin the server again as the new one.",
  },
  "mcp/supported-versions-changed": {
    level: "note",
    summary: "The server names other protocol versions that it supports. It is a note: no outcome depends on it.",
    help: "Nothing has to be done; `agentprint approve <server>` takes the new list.",
  },
  "mcp/era-changed": {
    level: "error",
    summary:
      "The server began or ceased to speak MCP with the initialize handshake (2025-11-25 and older) or without (2026-07-28).",
    help: APPROVE,
  },
  "mcp/era-divergence": {
    level: "warning",
    summary: "Clients of the two eras of the protocol are shown different things, so a review of one misses the other.",
    help: "Ask the author of the server why, and review both; the lock holds each with the sessions that saw it.",
  },
  "mcp/client-divergence": {
    level: "warning",
    summary: "A common client and a bare one are shown different things: the server decides by who asks.",
    help: "Review both; the lock holds each with the sessions that saw it. A server may hide from a check what it shows a user.",
  },
  "mcp/undeclared-list": {
    level: "warning",
    summary:
      "The server lists items of a kind that its capabilities do not declare. Some clients show them to the model.",
    help: "Review the items as all others: they are pinned. Ask the author of the server to declare the capability.",
  },
  "mcp/invalid-tool-header": {
    level: "warning",
    summary:
      "An x-mcp-header of the tool breaks the rules of MCP, so that clients over HTTP have to leave out the tool.",
    help: "Ask the author of the server to correct it. The tool is pinned all the same: not every client leaves it out.",
  },
  "mcp/unstable-member": {
    level: "note",
    summary: "A member outside the items has another value each time the server is asked; the lock does not pin it.",
    help: "Pin the server again without `--allow-unstable` when the member holds still.",
  },
  "mcp/outdated-entry": {
    level: "note",
    summary: "The entry was pinned by an older version of the lock, which saw less of a server.",
    help: "Run `agentprint pin --renew <server>`; it shows what it adds before it writes.",
  },
  "mcp/server-not-locked": {
    level: "error",
    summary: "The server has no entry in the lock.",
    help: "Pin it: `agentprint pin`.",
  },
  "mcp/name-collision": {
    level: "note",
    summary: "Several servers offer a tool of the same name, so one may answer in place of another.",
    help: "Rename one of them, or let the client prefix tool names with the name of the server.",
  },
  "mcp/look-alike-name": {
    level: "note",
    summary: "Tools of two servers have names that look alike, so that people and models take one for the other.",
    help: "Make sure that both servers are meant to be there; rename one of the tools, or let the client prefix their names.",
  },
  "mcp/hidden-text": {
    level: "warning",
    summary: "A text of the server holds characters that a reader cannot see or takes for others; a model reads them.",
    help: "Show the text with its characters escaped, as this report does, and ask the author of the server what they are for.",
  },
  "mcp/missing-hints": {
    level: "note",
    summary:
      "Tools have no hints: the specification then takes them for destructive, and clients ask before each call.",
    help: "Ask the author of the server for readOnlyHint and destructiveHint; until then treat the tools as destructive.",
  },
  "mcp/floating-version": {
    level: "note",
    summary: "The launch names no exact version, so that another program can answer tomorrow under the same launch.",
    help: "Write the exact version (`package@1.2.3`, `package==1.2.3`, `image@sha256:…`) into the launch, then pin again.",
  },
  "mcp/unknown-launcher": {
    level: "note",
    summary: "The launch is of a form that nobody could read, so that it is open whether its version is fixed.",
    help: "Make sure that the launch always starts the same program.",
  },
  "mcp/could-not-tell": {
    level: "error",
    summary: "The server could not be read, so nothing is known about drift.",
    help: "Start the server by hand with the command of the lock, fix what it says, check again.",
  },
});
