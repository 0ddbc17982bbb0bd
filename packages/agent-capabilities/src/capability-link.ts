import type { Composable } from "./composable.ts";
import type { CapabilityContext } from "./context.ts";
import { type EvaluateOptions, type Evaluation, evaluateComposable } from "./evaluate.ts";
import type { EnvOf, EvaluatedTools } from "./evaluated-types.ts";
import type { HashOptions } from "./hash-options.ts";
import { computeInvocationContextHash } from "./invocation-context.ts";
import type { RegisteredAgent } from "./registered-agent.ts";
import { computeRuntimeHash, sortToolRefs, type ToolRef, toolRefsOf } from "./runtime.ts";

/** One turn of an agent, as fingerprints: store it, and compare it with that of another turn. */
export interface CapabilityLink {
  readonly agentId: string;
  readonly agentName: string;
  /** What the agent could do at most, and its instructions. */
  readonly staticHash: string;
  /** What was enabled. */
  readonly runtimeHash: string;
  /** The enabled tools, sorted by name. */
  readonly toolRefs: readonly ToolRef[];
  /** What the turn was bound to; absent when there was nothing to hash. */
  readonly invocationHash?: string;
}

/** The part of a turn that is no capability. */
export interface InvocationArguments {
  readonly invocationContext?: unknown;
  /** Top-level keys of the context to hash; absent or empty: all. */
  readonly invocationContextAllowlist?: readonly string[] | undefined;
}

/** Argument of {@link createCapabilityLink}. */
export interface CapabilityLinkArguments extends InvocationArguments, HashOptions {
  readonly agent: RegisteredAgent;
  /** Enabled tools, in any order. */
  readonly toolRefs: readonly ToolRef[];
}

/**
 * Makes the link of a turn from what was enabled in it.
 *
 * @param args - Agent, enabled tools, invocation context; hash options default to those of the agent.
 * @returns A JSON object.
 * @throws {CapabilityError} `duplicate-tool`, `invalid-context`; as `computeStaticHash` of the agent.
 * @see Capability hashing, "Capability link"
 * @example
 * ```ts
 * import { createCapabilityLink, createRegisteredAgent, toolkit } from "@agentprint/agent-capabilities";
 *
 * const agent = createRegisteredAgent({ agentId: "a", name: "A", root: toolkit([], { name: "empty" }) });
 * const link = createCapabilityLink({ agent, toolRefs: [], invocationContext: { user: "u1" } });
 * Object.keys(link);
 * // ["agentId", "agentName", "staticHash", "runtimeHash", "toolRefs", "invocationHash"]
 * ```
 */
export function createCapabilityLink(args: CapabilityLinkArguments): CapabilityLink {
  const { agent, invocationContext, invocationContextAllowlist: allowlist, toolRefs: unsorted, ...given } = args;
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
  };
}

/** Argument of {@link computeFullCapabilityLink}. */
export interface FullCapabilityLinkArguments<Root extends Composable>
  extends InvocationArguments,
    HashOptions,
    Pick<EvaluateOptions, "policyErrors"> {
  readonly agent: RegisteredAgent<Root>;
  readonly ctx: CapabilityContext<EnvOf<Root>>;
  /** Tool name → a text that the tool is bound to at run time. */
  readonly runtimeToolAugments?: Readonly<Record<string, string>> | undefined;
}

/** One evaluated turn: its link, and the tools to run it with. */
export interface FullCapabilityLink<Tools> {
  readonly link: CapabilityLink;
  readonly evaluation: Evaluation<Tools>;
  /** How the turn was hashed: those of the agent, and what was given for the turn. */
  readonly hashOptions: HashOptions;
}

/**
 * Evaluates an agent for one turn and makes the link of that turn.
 *
 * @param args - Agent, context, invocation context, augments; hash options default to those of the agent. `agentId` and
 * `agentName` of the context are those of the agent.
 * @returns The link, the evaluation with the enabled tools, and the options that both were made with.
 * @throws {CapabilityError} As `evaluateComposable` and `createCapabilityLink`.
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
  const { agent, ctx, runtimeToolAugments, invocationContext, invocationContextAllowlist, ...given } = args;
  const { policyErrors = "throw", ...hashOptions } = { ...agent.hashOptions, ...given };
  const bound = { ...ctx, agentId: agent.agentId, agentName: agent.name };
  const evaluation = await evaluateComposable(agent.root, bound, { ...hashOptions, policyErrors });
  const toolRefs = toolRefsOf(evaluation, { ...hashOptions, runtimeToolAugments });
  const turn = { agent, toolRefs, invocationContext, invocationContextAllowlist };
  return { link: createCapabilityLink({ ...hashOptions, ...turn }), evaluation, hashOptions };
}
