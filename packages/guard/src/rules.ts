import { deepFreeze } from "@agentprint/canonical-json/json-value";
import type { Rules } from "@agentprint/findings";

/** The id of a run-time rule. */
export type GuardRuleId =
  | "guard/arguments-rejected"
  | "guard/arguments-unknown"
  | "guard/format-unknown"
  | "guard/result-rejected"
  | "guard/result-unknown"
  | "guard/inexact-content"
  | "guard/hidden-text"
  | "guard/sampling-request"
  | "guard/elicitation-request"
  | "guard/roots-request";

const BY_POLICY = "A policy can decide differently, by the rule's id.";

const RULES: Rules<GuardRuleId> = {
  "guard/arguments-rejected": {
    level: "error",
    summary: "The arguments of a call do not fit the definition that the client was given.",
    help: `The call is refused. ${BY_POLICY}`,
    why: "A server may handle values that its schema excludes in a way that no one reviewed.",
    example: { text: "`read_file` is called with a number as `path`." },
  },
  "guard/arguments-unknown": {
    level: "error",
    summary: "It is unknown whether a call's arguments fit the definition that the client was given.",
    help: `The call is refused. ${BY_POLICY}`,
    why: "A schema in a dialect that is not evaluated, or behind a reference to the network, restricts nothing.",
    example: { text: "The input schema of a tool is a reference to a web page." },
  },
  "guard/format-unknown": {
    level: "note",
    summary: "It is not known whether the arguments of a call have the format that the definition names.",
    help: `The call is passed on, because validators differ on whether a format is asserted. ${BY_POLICY}`,
    why: "Some validators refuse what others accept.",
    example: { text: "`fetch` is called with a `url` that has the format `uri`." },
    isRemark: true,
  },
  "guard/result-rejected": {
    level: "warning",
    summary: "The structured content of a result does not fit the output schema of the tool.",
    help: `The result is passed on. ${BY_POLICY}`,
    why: "Code that uses the result may rely on the schema.",
    example: { text: "A result has a text where the schema has a number." },
    isRemark: true,
  },
  "guard/result-unknown": {
    level: "warning",
    summary: "It is unknown whether a result's structured content fits the tool's output schema.",
    help: `The result is passed on. ${BY_POLICY}`,
    why: "Code that uses the result may rely on the schema.",
    example: { text: "The output schema of a tool is a reference to a web page." },
    isRemark: true,
  },
  "guard/inexact-content": {
    level: "note",
    summary: "A result holds a number that a double changes, or half of a surrogate pair.",
    help: `The result is passed on byte for byte. ${BY_POLICY}`,
    why: "Servers in other languages send such numbers in good faith, but readers differ on them.",
    example: { text: "A result has the id 9007199254740993." },
    isRemark: true,
  },
  "guard/hidden-text": {
    level: "warning",
    summary: "A message of the server holds terminal escapes or characters that nobody sees.",
    help: "The screening mode decides whether the guard looks for it, and whether the text is withheld.",
    why: "Readers do not see what a model or a terminal reads.",
    example: { text: "A result holds Unicode tags." },
    isRemark: true,
  },
  "guard/sampling-request": {
    level: "note",
    summary: "The server wants to use the client's model.",
    help: "If a policy blocks the rule, the server does not learn that the client supports it, and gets no answer.",
    why: "The server writes the prompt.",
    example: { text: "A server sends `sampling/createMessage`." },
    isRemark: true,
  },
  "guard/elicitation-request": {
    level: "note",
    summary: "The server wants to ask the client's user.",
    help: "If a policy blocks the rule, the server does not learn that the client supports it, and gets no answer.",
    why: "The server writes the question.",
    example: { text: "A server sends `elicitation/create`." },
    isRemark: true,
  },
  "guard/roots-request": {
    level: "note",
    summary: "The server requests the client's roots.",
    help: "If a policy blocks the rule, the server does not learn that the client supports it, and gets no answer.",
    why: "Roots reveal where the user's files are.",
    example: { text: "A server sends `roots/list`." },
    isRemark: true,
  },
};

/**
 * The run-time rules, by id. A policy can decide on each of them. If it does not, the guard lets through what a
 * remark's rule matches, and refuses what any other rule matches.
 *
 * @example
 * ```ts
 * import { GUARD_RULES } from "@agentprint/guard";
 *
 * console.log(GUARD_RULES["guard/arguments-rejected"].level); // error
 * ```
 */
export const GUARD_RULES: Rules<GuardRuleId> = /* @__PURE__ */ deepFreeze(RULES);
