import { deepFreeze } from "@agentprint/canonical-json/json-value";
import type { Rules } from "@agentprint/findings";

/** Id of a rule about two turns of an agent. */
export type TurnRuleId =
  | "capabilities/agent-changed"
  | "capabilities/template-changed"
  | "capabilities/tool-removed"
  | "capabilities/tool-added"
  | "capabilities/tool-changed"
  | "capabilities/runtime-hash-contradiction"
  | "capabilities/definition-digest-mismatch"
  | "capabilities/opaque-schema"
  | "capabilities/instructions-changed"
  | "capabilities/invocation-changed"
  | "capabilities/name-changed";

/** The meaning of each finding about two turns, and its remedy. */
export const TURN_RULES: Rules<TurnRuleId> = /* @__PURE__ */ deepFreeze({
  "capabilities/agent-changed": {
    level: "error",
    summary: "The turns belong to different agents.",
    help: "Compare turns of the same agent.",
    why: "Turns of different agents have nothing in common, so every part would differ.",
    example: { text: "The links name different agents.", before: "support", after: "billing" },
  },
  "capabilities/template-changed": {
    level: "error",
    summary: "The agent's template changed.",
    help: "A tool, a toolkit or the agent's instructions were edited. Review the change, then accept the new static hash.",
    why: "The template was reviewed; all turns are made from it.",
    example: {
      text: "The instructions of the agent were edited.",
      before: "Answer kindly",
      after: "Answer kindly and offer a refund",
    },
  },
  "capabilities/tool-removed": {
    level: "error",
    summary: "A tool is no longer enabled.",
    help: "A policy denied the tool, or it is no longer defined. Check the policies of the tool and its toolkits.",
    why: "The agent lost an ability, and may look for another way.",
    example: { text: "A policy denied a tool.", before: ["search", "refund"], after: ["search"] },
  },
  "capabilities/tool-added": {
    level: "error",
    summary: "A tool is newly enabled.",
    help: "A policy allowed the tool, a dynamic toolkit created it, or it was added. Make sure that the agent may have it.",
    why: "The agent can do things that no one agreed to.",
    example: { text: "A dynamic toolkit created a tool.", before: ["search"], after: ["search", "refund"] },
  },
  "capabilities/tool-changed": {
    level: "error",
    summary: "A tool has a different definition, or is bound to something else.",
    help: "Review its name, description, schema, instructions and policies. Snapshots of both turns show which of these changed.",
    why: "The name is the same, but a call does something different.",
    example: {
      text: "The description of a tool changed.",
      before: "Refunds up to 10 EUR",
      after: "Refunds any amount",
    },
  },
  "capabilities/runtime-hash-contradiction": {
    level: "error",
    summary: "The runtime hashes and the tools of the turns contradict each other.",
    help: "Do not rely on either link: find out who edited it. Two links whose tools were sorted in different orders also contradict each other.",
    why: "If two records of one run contradict each other, one of them is false.",
    example: { text: "The tools are the same, but their hash is not." },
  },
  "capabilities/definition-digest-mismatch": {
    level: "error",
    summary: "The content of a snapshot does not match the digest in its link.",
    help: "Do not rely on the snapshot: find out who edited it, or create it again.",
    why: "An edited snapshot describes something that did not happen.",
    example: {
      text: "The description in a snapshot was replaced after the run.",
      before: "Refunds any amount",
      after: "Refunds up to 10 EUR",
    },
  },
  "capabilities/opaque-schema": {
    level: "warning",
    summary: "No digest covers a tool's entire schema.",
    help: "It is unknown whether the schema changed. Give the tool a schema that its library can write completely as JSON Schema, and set requireTransparentSchemas.",
    why: "A change outside the digest's coverage leaves no trace.",
    example: {
      text: "A schema from a validator that cannot write JSON Schema.",
      after: { vendor: "example", version: 1 },
    },
  },
  "capabilities/instructions-changed": {
    level: "error",
    summary: "The model reads different instructions, or a link does not record which instructions it read.",
    help: "Check the instructions of dynamic toolkits. Snapshots of both turns show the instructions.",
    why: "A model's instructions decide how it uses its tools.",
    example: {
      text: "A dynamic toolkit returned different instructions.",
      before: "Ask before each refund",
      after: "Refund at once",
    },
  },
  "capabilities/invocation-changed": {
    level: "warning",
    summary: "The turns were bound to different invocation contexts.",
    help: "Check what was invoked.",
    why: "The same tools can act for another user or in another place.",
    example: { text: "The turns ran for different users.", before: { user: "ann" }, after: { user: "bob" } },
  },
  "capabilities/name-changed": {
    level: "note",
    summary: "The agent has a different display name.",
    help: "Nothing to do: no hash depends on the display name.",
    why: "People see the name; nothing else depends on it.",
    example: { text: "The agent is shown under another name.", before: "Support", after: "Helpdesk" },
  },
});
