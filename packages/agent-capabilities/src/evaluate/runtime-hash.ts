import { keyComparator } from "@agentprint/canonical-json";
import { checkArgument, invalid } from "../check-argument.ts";
import { CapabilityError } from "../errors.ts";
import type { HashOptions, SortOptions } from "../hash/hash-options.ts";
import { hashPlainObject } from "../hash/hash-plain-object.ts";
import { opaqueSchemaNames } from "../hash/opaque-schemas.ts";
import type { EvaluatedTool } from "./evaluated-tool.ts";

/** An enabled tool and its hash. */
export interface ToolRef {
  readonly toolKey: string;
  /** 64 lowercase hex digits. */
  readonly toolHash: string;
}

/** The object that is hashed for the enabled tools. */
export interface RuntimePayload {
  readonly kind: "runtime";
  readonly tools: readonly { readonly name: string; readonly hash: string }[];
}

/** Options of {@link computeRuntimeCapabilitiesFromEvaluation}. */
export interface RuntimeOptions extends HashOptions {
  /**
   * Maps a tool's name to a text that the tool is bound to at run time, such as a database's head. The text changes the
   * hash of that tool in `runtimeHash` and `toolRefs`, but no static hash.
   */
  readonly runtimeToolAugments?: Readonly<Record<string, string>> | undefined;
}

/**
 * Returns the object that is hashed for the enabled tools, sorted by name.
 *
 * @param toolRefs - Enabled tools, in any order.
 * @param options - Order.
 * @returns The payload.
 * @throws {@link CapabilityError} `duplicate-tool` when two tools have the same name
 * @throws {@link CapabilityError} `invalid-argument` when a tool has no name or no hash
 * @see Capability hashing, "Runtime capability hash (`runtimeHash`)"
 * @example
 * ```ts
 * import { runtimeCapabilityCanonicalPayload } from "@agentprint/agent-capabilities";
 *
 * runtimeCapabilityCanonicalPayload([{ toolKey: "b", toolHash: "…" }, { toolKey: "a", toolHash: "…" }]).tools[0]?.name;
 * // "a"
 * ```
 */
export function runtimeCapabilityCanonicalPayload(
  toolRefs: readonly ToolRef[],
  options: SortOptions = {},
): RuntimePayload {
  checkArgument("toolRefs", toolRefs, "array");
  checkArgument("options", options, "object");
  return {
    kind: "runtime",
    tools: sortToolRefs(toolRefs, options).map(({ toolKey, toolHash }) => ({ name: toolKey, hash: toolHash })),
  };
}

/**
 * Returns the SHA-256 of {@link runtimeCapabilityCanonicalPayload}.
 *
 * @param toolRefs - Enabled tools, in any order.
 * @param options - Order.
 * @returns 64 lowercase hex digits.
 * @throws {@link CapabilityError} `duplicate-tool` when two tools have the same name
 * @throws {@link CapabilityError} `invalid-argument` when a tool has no name or no hash
 * @see Capability hashing, "Runtime capability hash (`runtimeHash`)"
 * @example
 * ```ts
 * import { computeRuntimeHash } from "@agentprint/agent-capabilities";
 *
 * computeRuntimeHash([]); // "61f03cc32fcadb42ddbcb928674b8f4e4200c2d83049b41997dfd3ffaac59ed2"
 * ```
 */
export function computeRuntimeHash(toolRefs: readonly ToolRef[], options: SortOptions = {}): string {
  checkArgument("toolRefs", toolRefs, "array");
  checkArgument("options", options, "object");
  return hashPlainObject(runtimeCapabilityCanonicalPayload(toolRefs, options), options);
}

/**
 * Returns the runtime hash of an evaluation, which covers the tools that it enabled.
 *
 * @param evaluation - The result of `evaluateComposable`.
 * @param options - The sort order, how schemas are hashed, and `runtimeToolAugments`.
 * @returns The runtime hash, the enabled tools sorted by name, and the names of the tools whose schema is not
 * completely covered by any digest.
 * @throws {@link CapabilityError} `schema-failed`, `unstable-schema` or `opaque-schema` when a schema has no fingerprint
 * @see Capability hashing, "Runtime capability hash (`runtimeHash`)"
 * @example
 * ```ts
 * import { computeRuntimeCapabilitiesFromEvaluation, evaluateComposable, toolkit } from "@agentprint/agent-capabilities";
 *
 * const evaluation = await evaluateComposable(toolkit([], { name: "empty" }), { env: {} });
 * computeRuntimeCapabilitiesFromEvaluation(evaluation).toolRefs; // []
 * ```
 */
export function computeRuntimeCapabilitiesFromEvaluation(
  evaluation: { readonly tools: object },
  options: RuntimeOptions = {},
): { runtimeHash: string; toolRefs: ToolRef[]; opaqueSchemas: string[] } {
  checkArgument("evaluation", evaluation, { tools: "object" });
  checkArgument("options", options, "object");
  const toolRefs = toolRefsOf(evaluation, options);
  const opaqueSchemas = opaqueSchemaNames(Object.values(evaluation.tools as Record<string, EvaluatedTool>), options);
  return { runtimeHash: computeRuntimeHash(toolRefs, options), toolRefs, opaqueSchemas };
}

/** Returns the enabled tools of an evaluation, sorted by name. */
export function toolRefsOf(evaluation: { readonly tools: object }, options: RuntimeOptions): ToolRef[] {
  const { runtimeToolAugments = {} } = options;
  const refs = Object.values(evaluation.tools as Record<string, EvaluatedTool>).map((tool) => {
    const toolHash = tool.computeStaticHash(options);
    const augmented = Object.hasOwn(runtimeToolAugments, tool.name);
    return {
      toolKey: tool.name,
      toolHash: augmented ? hashBinding(toolHash, runtimeToolAugments[tool.name] as string, options) : toolHash,
    };
  });
  return sortToolRefs(refs, options);
}

/** Refuses a list in which a tool has no name or no hash: two tools without a hash would have the same runtime hash. */
export function requireToolRefs(toolRefs: readonly ToolRef[], list = "toolRefs"): void {
  for (const [index, ref] of toolRefs.entries()) {
    for (const member of ["toolKey", "toolHash"] as const) {
      if (typeof ref?.[member] !== "string") throw invalid(`${list}[${index}].${member}`, "a string", ref?.[member]);
    }
  }
}

/** Sorts tools by name, and refuses two with the same name. */
export function sortToolRefs(toolRefs: readonly ToolRef[], { sort = "code-unit" }: SortOptions): ToolRef[] {
  requireToolRefs(toolRefs);
  const compare = keyComparator(sort);
  const sorted = toolRefs.toSorted((a, b) => compare(a.toolKey, b.toolKey));
  // A collation may rank different names as equal and put one of them between two tools with the same name: only in
  // code-unit order are tools with the same name always adjacent.
  const inOrder = sort === "locale" ? sortToolRefs(toolRefs, {}) : sorted;
  const twice = inOrder.find(({ toolKey }, index) => toolKey === inOrder[index - 1]?.toolKey);
  if (twice === undefined) return sorted;
  throw new CapabilityError("duplicate-tool", `tool "${twice.toolKey}": expected one enabled tool per name`, {
    toolName: twice.toolKey,
  });
}

/** Returns the hash of a tool that is bound to a text at run time. */
export function hashBinding(baseToolHash: string, runtimeBinding: string, options: SortOptions): string {
  return hashPlainObject({ kind: "runtime_tool_binding", baseToolHash, runtimeBinding }, options);
}
