import { sha256Hex } from "@agentprint/canonical-json";
import type { Composable } from "./composable.ts";
import type { CapabilityContext } from "./context.ts";
import { type EvaluateOptions, type Evaluation, evaluateComposable } from "./evaluate.ts";
import type { EnvOf, EvaluatedTools } from "./evaluated-types.ts";
import { guarded } from "./guarded.ts";
import type { HashOptions } from "./hash-options.ts";
import { computeInvocationContextHash } from "./invocation-context.ts";
import type { RegisteredAgent } from "./registered-agent.ts";
import { computeRuntimeHash, sortToolRefs, type ToolRef, toolRefsOf } from "./runtime.ts";
import { instructionsVary, opaqueSchemaNames, sortNames, staticTools } from "./static-tools.ts";

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
  /**
   * SHA-256 of what tools and toolkits tell the model, where the other hashes do not decide it: with a dynamic toolkit, or
   * with one tool in two toolkits. `null` where a link was made without that text; else absent.
   */
  readonly instructionsHash?: string | null;
  /**
   * Sorted names of the agent's and the enabled tools whose schema is hashed as `{ vendor, version }` only: equal hashes do
   * not say that these tools are equal. Absent in a link of an earlier version. No hash covers this list.
   */
  readonly opaqueSchemas?: readonly string[];
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
  /** `opaqueSchemas` of the evaluation, for tools that the agent's template does not have. */
  readonly opaqueSchemas?: readonly string[] | undefined;
  /** `instructions` of the evaluation, for an agent with dynamic toolkits, or with one tool in two toolkits. */
  readonly instructions?: string | undefined;
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
 * // ["agentId", "agentName", "staticHash", "runtimeHash", "toolRefs", "invocationHash", "opaqueSchemas"]
 * ```
 */
export function createCapabilityLink(args: CapabilityLinkArguments): CapabilityLink {
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
  /** Tool name → a text that the tool is bound to at run time. */
  readonly runtimeToolAugments?: Readonly<Record<string, string>> | undefined;
}

/** One evaluated turn: its link, and the tools to run it with. */
export interface FullCapabilityLink<Tools> {
  readonly link: CapabilityLink;
  readonly evaluation: Evaluation<Tools>;
  /** How the turn was hashed: those of the agent, and what was given for the turn. */
  readonly hashOptions: HashOptions;
  /** What enabled tools were bound to at run time, by name. */
  readonly runtimeToolAugments: Readonly<Record<string, string>>;
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
