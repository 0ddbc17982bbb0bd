import { deepFreeze } from "@agentprint/canonical-json/json-value";
import type { Rules } from "@agentprint/findings";

/** The id of a rule about a release. */
export type ReleaseRuleId =
  | "release/version-too-small"
  | "release/snapshot-differs"
  | "release/context-cost"
  | "release/no-hints"
  | "release/enum-in-words"
  | "release/tool-name"
  | "release/client-refuses"
  | "release/value-not-valid";

/** The rules about a server's release. */
export const RELEASE_RULES: Rules<ReleaseRuleId> = /* @__PURE__ */ deepFreeze({
  "release/version-too-small": {
    level: "error",
    summary: "The declared version bump is too small for the changes to the tools since the previous release.",
    help: "Declare the version that the report names, or undo the change that requires it.",
    why: "Users and their package managers accept a minor version without review. A call that worked then fails, or a model reads unreviewed text.",
    example: {
      text: "A parameter became required, but the version is only a minor one.",
      before: "1.3.0",
      after: "2.0.0",
    },
  },
  "release/snapshot-differs": {
    level: "error",
    summary: "The snapshot in the repository differs from the working tree's tools.",
    help: "Run `agentprint release --init`, review the snapshot's diff, and commit the snapshot with the change.",
    why: "Reviewers read the snapshot to see what a change does to the tools. An outdated snapshot hides that.",
    example: { text: "A tool was added, but the snapshot does not contain it.", after: { name: "send_mail" } },
  },
  "release/context-cost": {
    level: "note",
    summary:
      "The size of the tools as a model sees them (each tool's name, description and input schema) and of the instructions.",
    help: "Shorten the descriptions that grew, or remove tools that few calls need.",
    why: "Clients send the definitions with every request. They cost the user money and take context from the task.",
    example: { text: "Two tools were added to a server.", before: { tokens: 800 }, after: { tokens: 1150 } },
  },
  "release/no-hints": {
    level: "note",
    summary: "A tool has none of MCP's hints, so clients treat it as destructive and open to the world.",
    help: "Declare in `annotations` what is true for the tool: readOnlyHint, destructiveHint, idempotentHint, openWorldHint.",
    why: "Clients ask the user before a destructive call. A tool that only reads but does not declare it costs a question each time.",
    example: { text: "A read-only tool says so.", after: { annotations: { readOnlyHint: true } } },
  },
  "release/enum-in-words": {
    level: "note",
    summary: "A text parameter's description lists the valid values, but the schema accepts any text.",
    help: "Write the values as the parameter's `enum`.",
    why: "A model reads a description but obeys a schema. Clients and servers can refuse a wrong value only if the schema contains the list.",
    example: {
      text: "The two values are only in the description.",
      before: { type: "string", description: "Either 'asc' or 'desc'" },
      after: { type: "string", enum: ["asc", "desc"] },
    },
  },
  "release/tool-name": {
    level: "note",
    summary: "A tool's name is not 1 to 128 ASCII letters, digits, `_`, `-` and `.`, as MCP 2026-07-28 requires.",
    help: "Rename the tool and declare the rename in `agentprint.aliases.json`.",
    why: "Model providers accept fewer names than servers do, so clients rename such a tool or leave it out.",
    example: { text: "A name has a space.", before: "send mail", after: "send_mail" },
  },
  "release/client-refuses": {
    level: "note",
    summary:
      "An official client drops the tool or refuses the complete list because of it. The note names client and version.",
    help: "Write the schema in the form that every client accepts, which the message names.",
    why: "Users of the client see a server without the tool or without any tools.",
    example: {
      text: "The input schema does not say that it describes an object.",
      before: {},
      after: { type: "object" },
    },
  },
  "release/value-not-valid": {
    level: "note",
    summary: "A default or an example does not match its schema.",
    help: "Correct the value or the schema.",
    why: "A model copies examples and clients fill in defaults, and the call then fails.",
    example: { text: "The default is a string, but the type is number.", before: { type: "number", default: "10" } },
  },
});
