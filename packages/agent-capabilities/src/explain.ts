import { escapeJsonText } from "@agentprint/canonical-json";
import type { CapabilityLink } from "./capability-link.ts";
import { type CapabilityLinksDiff, diffCapabilityLinks, diffToolRefs, type ToolRefsDiff } from "./diff.ts";
import { formatHashShort } from "./format-hash-short.ts";

/** Why two links differ; the first that applies, in this order. */
export type CapabilityLinkRelationship =
  /** Links of two agents. */
  | "different-agent"
  /** The template changed, and with it the definition of an enabled tool. */
  | "definition-changed"
  /** The template changed, and no definition of a tool that both turns had. */
  | "template-changed"
  /** One template; policies or dynamic toolkits enabled another set of tools. */
  | "tool-set-changed"
  /** One template and one set; a tool that is made or bound at run time is another. */
  | "runtime-tool-changed"
  /** The same hashes of capabilities; a toolkit that is made at run time tells the model something else. */
  | "instructions-changed"
  /** The same capabilities for another invocation. */
  | "invocation-changed"
  /** Only the display name differs. */
  | "name-changed"
  /** Nothing that is hashed differs, but the schema of a tool, or what the model was told, is not hashed. */
  | "cannot-tell"
  | "same";

/** Why two links differ, in data and in words. */
export interface CapabilityLinkExplanation {
  readonly relationship: CapabilityLinkRelationship;
  /** One sentence, and one for each thing that cannot be told. */
  readonly summary: string;
  /** One sentence for each thing that differs. */
  readonly details: readonly string[];
  /**
   * One sentence, which is among the details too, when the runtime hashes say another thing than the tools. The
   * relationship is that of links that differ in both.
   */
  readonly contradiction?: string;
  /** Sorted names of the tools whose schema is hashed as `{ vendor, version }` only: no hash says that they are equal. */
  readonly opaqueSchemas: readonly string[];
  readonly fields: CapabilityLinksDiff;
  readonly tools: ToolRefsDiff;
}

const STATIC_DIFFERS = "Different static capabilities (toolkit / definition changed).";
const RUNTIME_DIFFERS = "Same static capabilities; runtime differs (enabled tools or policies changed).";

const SUMMARIES: Readonly<Record<CapabilityLinkRelationship, string>> = {
  "different-agent": "Different agent ids.",
  "definition-changed": STATIC_DIFFERS,
  "template-changed": STATIC_DIFFERS,
  "tool-set-changed": RUNTIME_DIFFERS,
  "runtime-tool-changed": RUNTIME_DIFFERS,
  "instructions-changed": "Same static and runtime hashes; what the model is told differs.",
  "invocation-changed":
    "Same static and runtime; invocation context hash differs (subject, policy, or other binding changed).",
  "name-changed": "Same static, runtime, and invocation hashes; display name differs only.",
  "cannot-tell": "Nothing that is hashed differs.",
  same: "Same capability link.",
};

/**
 * Says why two turns of an agent differ.
 *
 * @param first - Link of one turn.
 * @param second - Link of another.
 * @returns The relationship, a sentence, a sentence for each difference, and both diffs.
 * @see Capability hashing, "Capability link"
 * @example
 * ```ts
 * import { explainCapabilityLinkRelationship } from "@agentprint/agent-capabilities";
 *
 * const link = {
 *   agentId: "a",
 *   agentName: "A",
 *   staticHash: "1",
 *   runtimeHash: "2",
 *   toolRefs: [{ toolKey: "search", toolHash: "3" }],
 * };
 * const { relationship, details } = explainCapabilityLinkRelationship(link, { ...link, runtimeHash: "4", toolRefs: [] });
 * relationship; // "tool-set-changed"
 * details; // ['Tool "search" was enabled in the first only.']
 * ```
 */
export function explainCapabilityLinkRelationship(
  first: CapabilityLink,
  second: CapabilityLink,
): CapabilityLinkExplanation {
  const fields = diffCapabilityLinks(first, second);
  const { opaqueSchemas } = fields;
  const tools = diffToolRefs(first.toolRefs, second.toolRefs, { opaqueSchemas });
  const changed = new Set(fields.changed.map(({ field }) => field));
  const related = relate(changed, tools);
  const relationship = related === "same" && fields.undecided.length > 0 ? "cannot-tell" : related;
  const contradiction = contradictionOf(changed, tools);
  return {
    relationship,
    summary: [SUMMARIES[relationship], ...undecidedSummary(fields)].join(" "),
    details: [
      ...fieldDetails(fields),
      ...toolDetails(tools),
      ...(contradiction ? [contradiction] : []),
      ...opaqueSchemas.map(opaqueDetail),
    ],
    ...(contradiction && { contradiction }),
    opaqueSchemas,
    fields,
    tools,
  };
}

function relate(changed: ReadonlySet<string>, tools: ToolRefsDiff): CapabilityLinkRelationship {
  if (changed.has("agentId")) return "different-agent";
  if (changed.has("staticHash")) return tools.hashChanged.length > 0 ? "definition-changed" : "template-changed";
  if (changed.has("runtimeHash") || differ(tools)) {
    const sameSet = tools.onlyInFirst.length === 0 && tools.onlyInSecond.length === 0;
    return sameSet ? "runtime-tool-changed" : "tool-set-changed";
  }
  if (changed.has("instructionsHash")) return "instructions-changed";
  if (changed.has("invocationHash")) return "invocation-changed";
  return changed.has("agentName") ? "name-changed" : "same";
}

function differ({ onlyInFirst, onlyInSecond, hashChanged }: ToolRefsDiff): boolean {
  return onlyInFirst.length + onlyInSecond.length + hashChanged.length > 0;
}

function contradictionOf(changed: ReadonlySet<string>, tools: ToolRefsDiff): string | undefined {
  if (changed.has("runtimeHash") === differ(tools)) return undefined;
  return differ(tools)
    ? "The runtime hash is the same, yet the tools differ: a link contradicts itself."
    : "The runtime hash differs, yet the tools are the same: a link contradicts itself, or was sorted in another order.";
}

const INSTRUCTIONS_MISSING = "What the model was told is not in both links, so it was not compared.";

function undecidedSummary({ opaqueSchemas: { length }, undecided }: CapabilityLinksDiff): string[] {
  const tools = length === 1 ? "1 tool" : `${length} tools`;
  return [
    ...(length > 0 ? [`Whether the input schema of ${tools} changed cannot be told.`] : []),
    ...(undecided.includes("instructionsHash") ? [INSTRUCTIONS_MISSING] : []),
  ];
}

function opaqueDetail(toolKey: string): string {
  return `The schema of tool ${quote(toolKey)} is hashed as its vendor and version only: whether it changed cannot be told.`;
}

function fieldDetails({ changed, undecided }: CapabilityLinksDiff): string[] {
  const details = changed.flatMap(({ field, first, second }) => {
    switch (field) {
      case "agentId":
      case "agentName":
        return [`${field === "agentId" ? "Agent id" : "Agent name"}: ${quote(first)} became ${quote(second)}.`];
      case "staticHash":
        return [`The agent's template changed: ${shortHash(first)} became ${shortHash(second)}.`];
      case "invocationHash":
        return [`The invocation context changed: ${shortHash(first)} became ${shortHash(second)}.`];
      case "instructionsHash":
        return [`What the model is told changed: ${shortHash(first)} became ${shortHash(second)}.`];
      default:
        return [];
    }
  });
  return undecided.includes("instructionsHash") ? [...details, INSTRUCTIONS_MISSING] : details;
}

function toolDetails({ onlyInFirst, onlyInSecond, hashChanged }: ToolRefsDiff): string[] {
  return [
    ...onlyInFirst.map(({ toolKey }) => `Tool ${quote(toolKey)} was enabled in the first only.`),
    ...onlyInSecond.map(({ toolKey }) => `Tool ${quote(toolKey)} was enabled in the second only.`),
    ...hashChanged.map(
      ({ toolKey, firstHash, secondHash }) =>
        `Tool ${quote(toolKey)} is another one: ${formatHashShort(firstHash)} became ${formatHashShort(secondHash)}.`,
    ),
  ];
}

function quote(text: string | null | undefined): string {
  return escapeJsonText(JSON.stringify(String(text)));
}

function shortHash(hash: string | null | undefined): string {
  return hash === undefined || hash === null ? "none" : formatHashShort(hash);
}
