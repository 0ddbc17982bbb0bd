import { throwIfAborted, untilAborted } from "./abort.ts";
import { assertComposable, type Composable, MAX_NESTING } from "./composable.ts";
import type { CapabilityContext } from "./context.ts";
import type { DynamicToolkit } from "./dynamic-toolkit.ts";
import { CapabilityError, reasonOf } from "./errors.ts";
import { type EvaluatedTool, evaluatedTool } from "./evaluated-tool.ts";
import type { EnvOf, EvaluatedTools } from "./evaluated-types.ts";
import { guarded } from "./guarded.ts";
import type { SchemaOptions } from "./hash-options.ts";
import type { Hooks } from "./hooks.ts";
import type { Policy } from "./policy.ts";
import { type PolicyErrors, PolicyPass, type PolicySite } from "./policy-pass.ts";
import { requireOption } from "./require.ts";
import { toolSchemaToHashInput } from "./schema-hash-input.ts";
import { opaqueSchemaNames } from "./static-tools.ts";
import type { Tool } from "./tool.ts";

/** Options of {@link evaluateComposable}. */
export interface EvaluateOptions extends SchemaOptions {
  /**
   * What a policy that throws does: `"throw"` (default) fails the evaluation with its error; `"deny"` disables what it
   * guards and lists the error in `policyFailures`.
   */
  readonly policyErrors?: PolicyErrors;
}

/** What an agent may do right now. */
export interface Evaluation<Tools = Record<string, EvaluatedTool>> {
  /** Enabled tools by name, in traversal order. The record has no prototype. */
  readonly tools: Tools;
  /** Instructions of what is enabled, as one text for the model: blocks joined with an empty line. */
  readonly instructions: string;
  /** Names of enabled tools whose schema is hashed as `{ vendor, version }` only. */
  readonly opaqueSchemas: readonly string[];
  /** Errors of policies, with `policyErrors: "deny"`. */
  readonly policyFailures: readonly CapabilityError[];
}

/**
 * Asks the policies, in traversal order, and returns the enabled tools with their instructions.
 *
 * A toolkit asks its own policies, then those of all its members, then visits the members. A policy object is asked once.
 *
 * @param root - A tool, toolkit or dynamic toolkit.
 * @param ctx - The environment, and optionally a signal and hooks.
 * @param options - Handling of failing policies, and of opaque schemas.
 * @returns Enabled tools, instructions, opaque schemas.
 * @throws {CapabilityError} `policy-failed`, `create-failed`, `duplicate-tool`, `cycle`, `too-deep`, `aborted`,
 * `hook-failed` or `opaque-schema`.
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
  const tools = evaluator.tools;
  const enabled = Object.values(tools);
  if (options.requireTransparentSchemas) for (const enabledTool of enabled) toolSchemaToHashInput(enabledTool, options);
  return {
    tools: Object.freeze(tools) as EvaluatedTools<Root>,
    instructions: blocks.join("\n\n"),
    opaqueSchemas: opaqueSchemaNames(enabled, options),
    policyFailures: evaluator.pass.failures,
  };
}

/** What a composable inherits from the toolkits around it. */
interface Inherited {
  readonly observers: readonly Hooks[];
  readonly guards: readonly Policy[];
}

class Evaluator<Env> {
  readonly tools: Record<string, EvaluatedTool> = Object.create(null);
  readonly pass: PolicyPass<Env>;
  readonly #ctx: CapabilityContext<Env>;
  readonly #ancestors = new Set<Composable>();

  constructor(ctx: CapabilityContext<Env>, { policyErrors = "throw" }: EvaluateOptions) {
    requireOption("policyErrors", policyErrors, ["throw", "deny"]);
    this.#ctx = ctx;
    this.pass = new PolicyPass(ctx, policyErrors);
  }

  /** Instruction blocks of what is enabled below; empty when nothing is. */
  async visit(node: Composable, inherited: Inherited): Promise<string[]> {
    throwIfAborted(this.#ctx.signal, "the evaluation");
    if (!(await this.#allow(node, inherited))) return [];
    if (node.kind === "tool") return this.#enable(node, inherited);
    this.#enter(node);
    const within = {
      observers: [...inherited.observers, node.hooks],
      guards: [...inherited.guards, ...node.policies],
    };
    const members = node.kind === "toolkit" ? node.members : await this.#create(node);
    const blocks = await this.#visitMembers(node.name, members, within);
    this.#ancestors.delete(node);
    if (blocks === undefined) return [];
    return [...instructionLines(node.instructions), ...blocks];
  }

  async #visitMembers(name: string, members: readonly Composable[], within: Inherited): Promise<string[] | undefined> {
    const site = this.#site("toolkit", name, within.observers);
    for (const policy of hoistedPolicies(members)) this.pass.answer(policy) ?? (await this.pass.ask(policy, site));
    const blocks: string[] = [];
    const before = this.#enabledCount;
    for (const member of members) {
      const visited =
        member.kind === "tool"
          ? member.policies.every((policy) => this.pass.answer(policy)) && this.#enable(member, within)
          : await this.visit(member, within);
      if (visited) for (const block of visited) blocks.push(block);
    }
    return this.#enabledCount === before ? undefined : blocks;
  }

  #enabledCount = 0;

  async #allow({ kind, name, policies, hooks }: Composable, { observers }: Inherited): Promise<boolean> {
    const site = this.#site(kind, name, [...observers, hooks]);
    for (const policy of policies) if (!(this.pass.answer(policy) ?? (await this.pass.ask(policy, site)))) return false;
    return true;
  }

  #enable(tool: Tool, { observers, guards }: Inherited): string[] {
    if (tool.name in this.tools) {
      throw new CapabilityError(
        "duplicate-tool",
        `tool "${tool.name}": expected one enabled tool of a name, received two; rename one, or let a policy disable it`,
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
    if (this.#ancestors.size >= MAX_NESTING) {
      throw new CapabilityError("too-deep", `${node.kind} "${node.name}": expected at most ${MAX_NESTING} levels`);
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

/** Policies that a toolkit asks before it visits its members, in traversal order. */
function* hoistedPolicies(members: readonly Composable[]): Generator<Policy> {
  for (const member of members) {
    yield* member.policies;
    if (member.kind === "toolkit") yield* hoistedPolicies(member.members);
  }
}

function instructionLines(instructions: string | readonly string[] | undefined): string[] {
  const lines = typeof instructions === "string" ? [instructions] : (instructions ?? []);
  return lines.filter((line) => line !== "");
}
