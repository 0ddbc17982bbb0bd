import { requireOption } from "../check-argument.ts";
import type { Composable, DynamicToolkit, EnvOf, Tool, Toolkit } from "../define/composable.ts";
import type { CapabilityContext } from "../define/context.ts";
import { assertComposable } from "../define/hashed-definition.ts";
import type { Hooks } from "../define/hooks.ts";
import type { Policy } from "../define/policy.ts";
import { CapabilityError, guarded, reasonOf } from "../errors.ts";
import type { SchemaOptions } from "../hash/hash-options.ts";
import { opaqueSchemaNames } from "../hash/opaque-schemas.ts";
import { MAX_TOOLKIT_LEVELS } from "../limits.ts";
import { throwIfAborted, untilAborted } from "./abort.ts";
import { type EvaluatedTool, evaluatedTool } from "./evaluated-tool.ts";
import type { EvaluatedTools } from "./evaluated-tools.ts";
import { type PolicyErrors, PolicyPass, type PolicySite } from "./policy-pass.ts";

/** Options of {@link evaluateComposable}. */
export interface EvaluateOptions extends SchemaOptions {
  /**
   * The effect of a policy that throws: `"throw"` (default) fails the evaluation with its error; `"deny"` disables the
   * tools that the policy guards and lists the error in `policyFailures`.
   */
  readonly policyErrors?: PolicyErrors;
}

/** The tools that an agent may use in one turn, and the model's instructions about them. */
export interface Evaluation<Tools = Record<string, EvaluatedTool>> {
  /** Enabled tools by name, in traversal order. The record has no prototype. */
  readonly tools: Tools;
  /** Instructions of enabled tools and toolkits, as one text for the model: blocks joined with an empty line. */
  readonly instructions: string;
  /** Names of enabled tools whose schema is not completely covered by any digest. */
  readonly opaqueSchemas: readonly string[];
  /** The errors that policies threw, with `policyErrors: "deny"`. */
  readonly policyFailures: readonly CapabilityError[];
}

/**
 * Evaluates the policies, in traversal order, and returns the enabled tools with their instructions.
 *
 * A toolkit evaluates its own policies, then those of all its members, then visits the members. A policy object is
 * evaluated once.
 *
 * @param root - A tool, toolkit or dynamic toolkit.
 * @param ctx - The environment, and optionally a signal and hooks.
 * @param options - How failing policies and opaque schemas are handled.
 * @returns Enabled tools, instructions, opaque schemas.
 * @throws {@link CapabilityError} `policy-failed`, `create-failed` or `hook-failed` when one of the caller's functions
 * throws
 * @throws {@link CapabilityError} `duplicate-tool` when two enabled tools have the same name
 * @throws {@link CapabilityError} `cycle` or `too-deep` when a dynamic toolkit contains itself, or toolkits nest more
 * than 256 levels
 * @throws {@link CapabilityError} `aborted` when the context's signal fires
 * @throws {@link CapabilityError} `opaque-schema`, `schema-failed` or `unstable-schema` when
 * `requireTransparentSchemas` is set and the schema of an enabled tool cannot be hashed
 * @see Capability hashing, "Policy evaluation order (runtime, not hashed)"
 * @example
 * ```ts
 * import { evaluateComposable, jsonSchema, policy, tool } from "@agentprint/agent-capabilities";
 *
 * const admin = policy("admin", (ctx: { env: { role: string } }) => ctx.env.role === "admin");
 * const wipe = tool({ name: "wipe", inputSchema: jsonSchema(true), policies: [admin], handler: () => "done" });
 * const { tools } = await evaluateComposable(wipe, { env: { role: "guest" } });
 * Object.keys(tools); // []
 * ```
 */
export async function evaluateComposable<Root extends Composable>(
  root: Root,
  ctx: CapabilityContext<EnvOf<Root>>,
  options: EvaluateOptions = {},
): Promise<Evaluation<EvaluatedTools<Root>>> {
  assertComposable(root, "evaluateComposable");
  const copied = guarded("invalid-argument", "the context", () => Object.freeze({ ...ctx }));
  const evaluator = new Evaluator(copied, options);
  const blocks = await evaluator.visit(root, { observers: [], guards: [] });
  const { tools } = evaluator;
  const enabled = Object.values(tools);
  // A static hash covers the schema, so computing it refuses a schema that cannot be hashed. The turn's hashes use it again.
  if (options.requireTransparentSchemas) for (const enabledTool of enabled) enabledTool.computeStaticHash(options);
  return {
    tools: Object.freeze(tools) as EvaluatedTools<Root>,
    instructions: blocks.join("\n\n"),
    opaqueSchemas: opaqueSchemaNames(enabled, options),
    policyFailures: evaluator.pass.failures,
  };
}

/** The observers and policies that a composable inherits from the toolkits around it. */
interface Inherited {
  readonly observers: readonly Hooks[];
  readonly guards: readonly Policy[];
}

class Evaluator<Env> {
  readonly tools: Record<string, EvaluatedTool> = Object.create(null);
  readonly pass: PolicyPass<Env>;
  readonly #ctx: CapabilityContext<Env>;
  /** The toolkits around the composable that is being visited. */
  readonly #ancestors = new Set<Composable>();
  #enabledCount = 0;

  constructor(ctx: CapabilityContext<Env>, { policyErrors = "throw" }: EvaluateOptions) {
    requireOption("policyErrors", policyErrors, ["throw", "deny"]);
    this.#ctx = ctx;
    this.pass = new PolicyPass(ctx, policyErrors);
  }

  /**
   * Enables the tools that a composable's policies allow, and returns its instruction blocks: none if no tool below it
   * is enabled.
   */
  async visit(node: Composable, inherited: Inherited): Promise<string[]> {
    throwIfAborted(this.#ctx.signal, "the evaluation");
    const site = this.#site(node.kind, node.name, [...inherited.observers, node.hooks]);
    const isAllowed = await this.pass.askUntilDenied(node.policies, site);
    if (!isAllowed) return [];
    return node.kind === "tool" ? this.#enable(node, inherited) : this.#visitToolkit(node, inherited);
  }

  /**
   * Evaluates the policies of a toolkit's members, then visits the members. The toolkit's own policies have been
   * evaluated.
   */
  async #visitToolkit(node: Toolkit | DynamicToolkit, inherited: Inherited): Promise<string[]> {
    this.#enter(node);
    const within = {
      observers: [...inherited.observers, node.hooks],
      guards: [...inherited.guards, ...node.policies],
    };
    const members = node.kind === "toolkit" ? node.members : await this.#create(node);
    await this.pass.askAll(policiesBelow(members), this.#site("toolkit", node.name, within.observers));
    const countBefore = this.#enabledCount;
    const blocks = instructionLines(node.instructions);
    for (const member of members) {
      const below = member.kind === "tool" ? this.#enableIfAllowed(member, within) : await this.visit(member, within);
      for (const block of below) blocks.push(block);
    }
    this.#ancestors.delete(node);
    return this.#enabledCount > countBefore ? blocks : [];
  }

  /**
   * A tool among members is not visited, because its toolkit has already evaluated its policies and nothing needs to be
   * awaited.
   */
  #enableIfAllowed(tool: Tool, within: Inherited): string[] {
    return this.pass.allows(tool.policies) ? this.#enable(tool, within) : [];
  }

  #enable(tool: Tool, { observers, guards }: Inherited): string[] {
    if (tool.name in this.tools) {
      throw new CapabilityError(
        "duplicate-tool",
        `tool "${tool.name}": expected one enabled tool per name, received two; rename one, or let a policy disable it`,
        { toolName: tool.name },
      );
    }
    this.#enabledCount++;
    this.tools[tool.name] = evaluatedTool(tool, this.#ctx as CapabilityContext<never>, {
      guards: [...guards, ...tool.policies],
      observers: this.#site("tool", tool.name, [...observers, tool.hooks]).observers,
    });
    const block = tool.instructions.join("\n\n");
    return block === "" ? [] : [block];
  }

  #site(phase: PolicySite["phase"], name: string, observers: readonly Hooks[]): PolicySite {
    const { hooks } = this.#ctx;
    return { phase, name, observers: hooks ? [...observers, hooks] : observers };
  }

  #enter(node: Composable): void {
    if (this.#ancestors.has(node)) {
      throw new CapabilityError("cycle", `${node.kind} "${node.name}" contains itself`);
    }
    if (this.#ancestors.size >= MAX_TOOLKIT_LEVELS) {
      const message = `${node.kind} "${node.name}": expected at most ${MAX_TOOLKIT_LEVELS} levels`;
      throw new CapabilityError("too-deep", message);
    }
    this.#ancestors.add(node);
  }

  async #create(node: DynamicToolkit): Promise<readonly Composable[]> {
    const what = `dynamic toolkit "${node.name}"`;
    try {
      const members: unknown = await untilAborted(this.#ctx.signal, what, () =>
        node.create(this.#ctx as CapabilityContext<never>),
      );
      if (!Array.isArray(members)) throw new TypeError("expected create to return an array of composables");
      for (const [index, member] of members.entries()) assertComposable(member, `member ${index}`);
      return members;
    } catch (cause) {
      throwIfAborted(this.#ctx.signal, what);
      throw new CapabilityError("create-failed", `${what} failed: ${reasonOf(cause)}`, { cause });
    }
  }
}

/** Yields the policies that a toolkit evaluates before it visits its members, in traversal order. */
function* policiesBelow(members: readonly Composable[]): Generator<Policy> {
  for (const member of members) {
    yield* member.policies;
    if (member.kind === "toolkit") yield* policiesBelow(member.members);
  }
}

function instructionLines(instructions: string | readonly string[] | undefined): string[] {
  const lines = typeof instructions === "string" ? [instructions] : (instructions ?? []);
  return lines.filter((line) => line !== "");
}
