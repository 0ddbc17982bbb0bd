import type { Rule } from "@agentprint/report";

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

/** What each finding about two turns means and what to do about it. */
export const TURN_RULES: Readonly<Record<TurnRuleId, Rule>> = {
  "capabilities/agent-changed": {
    level: "error",
    summary: "The turns are of two agents.",
    help: "Compare turns of one agent.",
  },
  "capabilities/template-changed": {
    level: "error",
    summary: "The agent's template changed.",
    help: "A tool, a toolkit or the agent's instructions were edited. Review the change, then take the new static hash.",
  },
  "capabilities/tool-removed": {
    level: "error",
    summary: "A tool is no longer enabled.",
    help: "A policy denied the tool, or the tool is not defined any more. Look at the policies of the tool and of its toolkits.",
  },
  "capabilities/tool-added": {
    level: "error",
    summary: "A tool is newly enabled.",
    help: "A policy allowed the tool, a dynamic toolkit created it, or it was added. Make sure that the agent may have it.",
  },
  "capabilities/tool-changed": {
    level: "error",
    summary: "A tool has another definition, or is bound to something else.",
    help: "Review its name, description, schema, instructions and policies. Snapshots of both turns show which of these changed.",
  },
  "capabilities/runtime-hash-contradiction": {
    level: "error",
    summary: "The runtime hashes and the tools of the turns contradict each other.",
    help: "Do not rely on either link: look for who edited it. Two links whose tools were sorted in different orders contradict each other, too.",
  },
  "capabilities/definition-digest-mismatch": {
    level: "error",
    summary: "The content of a snapshot does not have the digest that its link records.",
    help: "Do not rely on the snapshot: look for who edited it, or make it again.",
  },
  "capabilities/opaque-schema": {
    level: "warning",
    summary: "The schema of a tool is hashed as its vendor and version only.",
    help: "Nobody can tell whether the schema changed. Give the tool a schema that can write its JSON Schema, and set requireTransparentSchemas.",
  },
  "capabilities/instructions-changed": {
    level: "error",
    summary: "The model is told something else, or a link does not record what the model was told.",
    help: "Look at the instructions of dynamic toolkits. Snapshots of both turns show the texts.",
  },
  "capabilities/invocation-changed": {
    level: "warning",
    summary: "The turns were bound to different invocation contexts.",
    help: "Look at what was invoked.",
  },
  "capabilities/name-changed": {
    level: "note",
    summary: "The agent has another display name.",
    help: "Nothing has to be done: no hash depends on the display name.",
  },
};
