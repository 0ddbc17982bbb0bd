import { sha256Hex } from "@agentprint/canonical-json";
import { checkArgument } from "../check-argument.ts";
import type { Composable, EnvOf } from "../define/composable.ts";
import type { CapabilityContext } from "../define/context.ts";
import type { RegisteredAgent } from "../define/registered-agent.ts";
import { instructionsVary, staticTools } from "../define/static-tools.ts";
import { guarded } from "../errors.ts";
import { type EvaluateOptions, type Evaluation, evaluateComposable } from "../evaluate/evaluate-composable.ts";
import type { EvaluatedTools } from "../evaluate/evaluated-tools.ts";
import { computeRuntimeHash, sortToolRefs, type ToolRef, toolRefsOf } from "../evaluate/runtime-hash.ts";
import type { HashOptions } from "../hash/hash-options.ts";
import { computeInvocationContextHash } from "../hash/invocation-context.ts";
import { opaqueSchemaNames, sortNames } from "../hash/opaque-schemas.ts";

/** The fingerprints of one turn of an agent. Store each turn's link, to compare it with another turn's. */
export interface CapabilityLink {
  readonly agentId: string;
  readonly agentName: string;
  /** Covers the agent's instructions and the definitions of all tools that it could ever use. */
  readonly staticHash: string;
  /** Covers the enabled tools. */
  readonly runtimeHash: string;
  /** The enabled tools, sorted by name. */
  readonly toolRefs: readonly ToolRef[];
  /** Covers the invocation context; absent if that context was empty. */
  readonly invocationHash?: string;
  /**
   * SHA-256 of the instructions of tools and toolkits for the model. It is present if the other hashes do not determine
   * these instructions: with a dynamic toolkit, or with one tool in two toolkits. `null` means that the link was made
   * without the text.
   */
  readonly instructionsHash?: string | null;
  /**
   * Sorted names of the agent's tools, and of the enabled ones, whose schema is not completely covered by any digest.
   * Equal hashes do not prove that these tools are equal. A link from an earlier version does not have it. No hash
   * covers this list.
   */
  readonly opaqueSchemas?: readonly string[];
}

/** The part of a turn that is not a capability: the context in which the agent is invoked. */
export interface InvocationArguments {
  readonly invocationContext?: unknown;
  /** Top-level keys of the context to hash. If it is absent or empty, all keys are hashed. */
  readonly invocationContextAllowlist?: readonly string[] | undefined;
}

/** Argument of {@link createCapabilityLink}. */
export interface CapabilityLinkArguments extends InvocationArguments, HashOptions {
  readonly agent: RegisteredAgent;
  /** Enabled tools, in any order. */
  readonly toolRefs: readonly ToolRef[];
  /** `opaqueSchemas` of the evaluation, for tools that the agent's template does not have. */
  readonly opaqueSchemas?: readonly string[] | undefined;
  /** `instructions` of the evaluation, for an agent with dynamic toolkits, or with one tool in two toolkits. */
  readonly instructions?: string | undefined;
}

/**
 * Makes the link of a turn from the tools that were enabled in it.
 *
 * @param args - Agent, enabled tools and invocation context. Hash options default to the agent's.
 * @returns A JSON object.
 * @throws {@link CapabilityError} `duplicate-tool` when two tools have the same name
 * @throws {@link CapabilityError} `invalid-context`, `too-deep` or `invalid-argument` when the invocation context cannot be
 * hashed
 * @throws {@link CapabilityError} `schema-failed`, `unstable-schema` or `opaque-schema` when a schema has no fingerprint
 * @see Capability hashing, "Capability link"
 * @example
 * ```ts
 * import { createCapabilityLink, createRegisteredAgent, toolkit } from "@agentprint/agent-capabilities";
 *
 * const agent = createRegisteredAgent({ agentId: "a", name: "A", root: toolkit([], { name: "empty" }) });
 * const link = createCapabilityLink({ agent, toolRefs: [], invocationContext: { user: "u1" } });
 * Object.keys(link);
 * // ["agentId", "agentName", "staticHash", "runtimeHash", "toolRefs", "invocationHash", "opaqueSchemas"]
 * ```
 */
export function createCapabilityLink(args: CapabilityLinkArguments): CapabilityLink {
  checkArgument("args", args, { agent: "object", toolRefs: "array" });
  const { agent, invocationContext, invocationContextAllowlist: allowlist, toolRefs: unsorted, ...rest } = args;
  const { opaqueSchemas = [], instructions, ...given } = rest;
  const options = { ...agent.hashOptions, ...given };
  const toolRefs = sortToolRefs(unsorted, options).map(({ toolKey, toolHash }) => ({ toolKey, toolHash }));
  const invocationHash = computeInvocationContextHash(invocationContext, { ...options, allowlist });
  return {
    agentId: agent.agentId,
    agentName: agent.name,
    staticHash: agent.computeStaticHash(options),
    runtimeHash: computeRuntimeHash(toolRefs, options),
    toolRefs,
    ...(invocationHash !== undefined && { invocationHash }),
    ...(instructionsVary(agent.root) && {
      instructionsHash: instructions === undefined ? null : sha256Hex(instructions),
    }),
    opaqueSchemas: sortNames([...opaqueSchemaNames(staticTools(agent.root), options), ...opaqueSchemas]),
  };
}

/** Argument of {@link computeFullCapabilityLink}. */
export interface FullCapabilityLinkArguments<Root extends Composable>
  extends InvocationArguments,
    HashOptions,
    Pick<EvaluateOptions, "policyErrors"> {
  readonly agent: RegisteredAgent<Root>;
  readonly ctx: CapabilityContext<EnvOf<Root>>;
  /** Maps a tool's name to a text that the tool is bound to at run time. */
  readonly runtimeToolAugments?: Readonly<Record<string, string>> | undefined;
}

/** One evaluated turn: its link, and the enabled tools. */
export interface FullCapabilityLink<Tools> {
  readonly link: CapabilityLink;
  readonly evaluation: Evaluation<Tools>;
  /** The options with which the turn was hashed: the agent's, overridden by those given for the turn. */
  readonly hashOptions: HashOptions;
  /** The texts that enabled tools were bound to at run time, by tool name. */
  readonly runtimeToolAugments: Readonly<Record<string, string>>;
}

/**
 * Evaluates an agent for one turn and makes the link of that turn.
 *
 * @param args - Agent, context, invocation context and augments. Hash options default to the agent's. In the context
 * that policies and handlers receive, `agentId` and `agentName` are the agent's.
 * @returns The link, the evaluation with the enabled tools, and the options of both.
 * @throws {@link CapabilityError} the codes of {@link evaluateComposable} and {@link createCapabilityLink} when these throw
 * @see Capability hashing, "Capability link"
 * @example
 * ```ts
 * import { computeFullCapabilityLink, createRegisteredAgent, toolkit } from "@agentprint/agent-capabilities";
 *
 * const agent = createRegisteredAgent({ agentId: "a", name: "A", root: toolkit([], { name: "empty" }) });
 * const { link, evaluation } = await computeFullCapabilityLink({ agent, ctx: { env: {} } });
 * link.staticHash === agent.staticHash; // true
 * Object.keys(evaluation.tools); // []
 * ```
 */
export async function computeFullCapabilityLink<const Root extends Composable>(
  args: FullCapabilityLinkArguments<Root>,
): Promise<FullCapabilityLink<EvaluatedTools<Root>>> {
  checkArgument("args", args, { agent: { root: "object" }, ctx: "object" });
  const { agent, ctx, runtimeToolAugments = {}, invocationContext, invocationContextAllowlist, ...given } = args;
  const { policyErrors = "throw", ...hashOptions } = { ...agent.hashOptions, ...given };
  const copied = guarded("invalid-argument", "the context", () => ({ ...ctx }));
  const bound = { ...copied, agentId: agent.agentId, agentName: agent.name };
  const evaluation = await evaluateComposable(agent.root, bound, { ...hashOptions, policyErrors });
  const toolRefs = toolRefsOf(evaluation, { ...hashOptions, runtimeToolAugments });
  const { instructions, opaqueSchemas } = evaluation;
  const turn = { agent, toolRefs, invocationContext, invocationContextAllowlist, instructions, opaqueSchemas };
  const link = createCapabilityLink({ ...hashOptions, ...turn });
  return { link, evaluation, hashOptions, runtimeToolAugments };
}
