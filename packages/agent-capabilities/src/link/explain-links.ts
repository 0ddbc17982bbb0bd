import { escapeJsonText } from "@agentprint/canonical-json";
import { checkArgument, LINK } from "../check-argument.ts";
import type { CapabilityLink } from "./capability-link.ts";
import { type CapabilityLinksDiff, diffCapabilityLinks, diffToolRefs, type ToolRefsDiff } from "./diff-links.ts";
import { formatHashShort } from "./format-hash-short.ts";

/** The reason why two links differ. If several reasons apply, it is the first of them in this order. */
export type CapabilityLinkRelationship =
  /** The links belong to different agents. */
  | "different-agent"
  /** The template changed, and with it the definition of an enabled tool. */
  | "definition-changed"
  /** The template changed, but no definition of a tool that both turns enabled. */
  | "template-changed"
  /** The template is the same; policies or dynamic toolkits enabled a different set of tools. */
  | "tool-set-changed"
  /** The template and the set of tools are the same; a tool that was created or bound at run time changed. */
  | "runtime-tool-changed"
  /**
   * The capability hashes are the same; a toolkit created at run time has different instructions for the model.
   */
  | "instructions-changed"
  /** The capabilities are the same; the invocation context changed. */
  | "invocation-changed"
  /** Only the display name differs. */
  | "name-changed"
  /** No hash differs, but a tool's schema or the model's instructions are not hashed. */
  | "cannot-tell"
  | "same";

/** The reason why two links differ, as data and as sentences. */
export interface CapabilityLinkExplanation {
  readonly relationship: CapabilityLinkRelationship;
  /** One sentence, plus one for each comparison that is not possible. */
  readonly summary: string;
  /** One sentence for each difference. */
  readonly details: readonly string[];
  /**
   * One sentence, which `details` also contains. It is present if only the runtime hashes differ or only the tools do,
   * although each determines the other. The relationship then describes two links that differ in both.
   */
  readonly contradiction?: string;
  /**
   * Sorted names of the tools whose schema is not completely covered by any digest, so that no hash proves them equal.
   */
  readonly opaqueSchemas: readonly string[];
  readonly fields: CapabilityLinksDiff;
  readonly tools: ToolRefsDiff;
}

// Golden vectors fix the summaries, and INSTRUCTIONS_MISSING, which is part of a summary.
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
 * Explains why two turns of an agent differ.
 *
 * @param before - Link of one turn.
 * @param after - Link of a later turn.
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
 * details; // ['Tool "search" is no longer enabled.']
 * ```
 */
export function explainCapabilityLinkRelationship(
  before: CapabilityLink,
  after: CapabilityLink,
): CapabilityLinkExplanation {
  checkArgument("before", before, LINK);
  checkArgument("after", after, LINK);
  const fields = diffCapabilityLinks(before, after);
  const { opaqueSchemas } = fields;
  const tools = diffToolRefs(before.toolRefs, after.toolRefs, { opaqueSchemas });
  const changed = new Set(fields.changed.map(({ field }) => field));
  const found = relationshipOf(changed, tools);
  const relationship = found === "same" && fields.undecided.length > 0 ? "cannot-tell" : found;
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

function relationshipOf(changed: ReadonlySet<string>, tools: ToolRefsDiff): CapabilityLinkRelationship {
  if (changed.has("agentId")) return "different-agent";
  if (changed.has("staticHash")) return tools.hashChanged.length > 0 ? "definition-changed" : "template-changed";
  if (changed.has("runtimeHash") || toolsDiffer(tools)) {
    const sameSet = tools.onlyInFirst.length === 0 && tools.onlyInSecond.length === 0;
    return sameSet ? "runtime-tool-changed" : "tool-set-changed";
  }
  if (changed.has("instructionsHash")) return "instructions-changed";
  if (changed.has("invocationHash")) return "invocation-changed";
  return changed.has("agentName") ? "name-changed" : "same";
}

function toolsDiffer({ onlyInFirst, onlyInSecond, hashChanged }: ToolRefsDiff): boolean {
  return onlyInFirst.length + onlyInSecond.length + hashChanged.length > 0;
}

function contradictionOf(changed: ReadonlySet<string>, tools: ToolRefsDiff): string | undefined {
  if (changed.has("runtimeHash") === toolsDiffer(tools)) return undefined;
  return toolsDiffer(tools)
    ? "The runtime hash is the same, but the tools differ: one of the links was altered."
    : "The runtime hash differs, but the tools are the same: one of the links was altered, or sorted in another order.";
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
  return `No digest covers the whole schema of tool ${quote(toolKey)}: whether the schema changed cannot be told.`;
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
        return [`The instructions for the model changed: ${shortHash(first)} became ${shortHash(second)}.`];
      default:
        return [];
    }
  });
  return undecided.includes("instructionsHash") ? [...details, INSTRUCTIONS_MISSING] : details;
}

function toolDetails({ onlyInFirst, onlyInSecond, hashChanged }: ToolRefsDiff): string[] {
  return [
    ...onlyInFirst.map(({ toolKey }) => `Tool ${quote(toolKey)} is no longer enabled.`),
    ...onlyInSecond.map(({ toolKey }) => `Tool ${quote(toolKey)} is newly enabled.`),
    ...hashChanged.map(
      ({ toolKey, firstHash, secondHash }) =>
        `Tool ${quote(toolKey)} changed: ${formatHashShort(firstHash)} became ${formatHashShort(secondHash)}.`,
    ),
  ];
}

function quote(text: string | null | undefined): string {
  return escapeJsonText(JSON.stringify(String(text)));
}

function shortHash(hash: string | null | undefined): string {
  return hash === undefined || hash === null ? "none" : formatHashShort(hash);
}
