import { keyComparator } from "@agentprint/canonical-json";
import { type Composable, type ComposableBase, copyHooks, copyPolicies, Hashed } from "./composable.ts";
import type { CapabilityContext } from "./context.ts";
import { guarded } from "./guarded.ts";
import type { HashOptions, SortOptions } from "./hash-options.ts";
import { hashPlainObject } from "./hash-plain-object.ts";
import type { Hooks } from "./hooks.ts";
import type { Policy } from "./policy.ts";
import { copyLines, requireFunction, requireName } from "./require.ts";

/** A toolkit whose members are made at evaluation. */
export interface DynamicToolkit<Env = never> extends ComposableBase<"dynamicToolkit"> {
  readonly instructions: readonly string[] | undefined;
  create(ctx: CapabilityContext<Env>): readonly Composable[] | Promise<readonly Composable[]>;
  /** Carries the type of the environment; never set. */
  readonly "~env"?: (env: Env) => void;
}

/** Argument of {@link dynamicToolkit}. */
export interface DynamicToolkitDefinition<Env> {
  readonly name: string;
  readonly instructions?: readonly string[] | undefined;
  /** Asked in order before `create`, which is not called unless all agree. */
  readonly policies?: readonly Policy<Env>[] | undefined;
  readonly hooks?: Hooks | undefined;
  /** Makes the members. What it makes is part of the runtime hash, not of the static hash. */
  readonly create: (ctx: CapabilityContext<Env>) => readonly Composable[] | Promise<readonly Composable[]>;
}

/** What is hashed of a dynamic toolkit. */
export interface DynamicToolkitPayload {
  readonly kind: "dynamicToolkit";
  readonly name: string;
  readonly instructions: readonly string[] | null;
  readonly policies: readonly string[];
}

/**
 * Defines a toolkit that makes its members at evaluation.
 *
 * @param definition - Name, instructions, policies, hooks and `create`.
 * @returns A frozen dynamic toolkit with its `staticHash`.
 * @throws {CapabilityError} `invalid-argument`.
 * @see Capability hashing, "Dynamic toolkit static hash (`kind: "dynamicToolkit"`)"
 * @example
 * ```ts
 * import { dynamicToolkit, jsonSchema, tool } from "@agentprint/agent-capabilities";
 *
 * const beta = tool({ name: "beta_search", inputSchema: jsonSchema(true), handler: () => [] });
 * const flagged = dynamicToolkit({
 *   name: "flagged",
 *   create: async (ctx: { env: { flags: string[] } }) => (ctx.env.flags.includes("beta") ? [beta] : []),
 * });
 * flagged.kind; // "dynamicToolkit"
 * ```
 */
export function dynamicToolkit<Env = unknown>(definition: DynamicToolkitDefinition<Env>): DynamicToolkit<Env> {
  return guarded(
    "invalid-argument",
    "the definition of a dynamic toolkit",
    () => new DefinedDynamicToolkit(definition),
  );
}

class DefinedDynamicToolkit<Env> extends Hashed implements DynamicToolkit<Env> {
  readonly kind = "dynamicToolkit";
  readonly name: string;
  readonly instructions: readonly string[] | undefined;
  readonly policies: readonly Policy[];
  readonly hooks: Hooks;
  readonly create: DynamicToolkitDefinition<Env>["create"];

  constructor({ name, instructions, policies, hooks, create }: DynamicToolkitDefinition<Env>) {
    super();
    requireName("dynamic toolkit name", name);
    requireFunction(`dynamic toolkit "${name}": create`, create);
    this.name = name;
    this.instructions = copyLines(`dynamic toolkit "${name}": instructions`, instructions);
    this.policies = copyPolicies(`dynamic toolkit "${name}"`, policies);
    this.hooks = copyHooks(hooks);
    this.create = create;
    Object.freeze(this);
  }

  protected override hash(options: HashOptions): string {
    return hashPlainObject(dynamicToolkitCanonicalPayload(this, options), options);
  }
}

/**
 * The object that is hashed for a dynamic toolkit: policy ids, no bindings, and nothing of what it creates.
 *
 * @param toolkit - A dynamic toolkit.
 * @param options - Order.
 * @returns The payload.
 * @see Capability hashing, "Dynamic toolkit static hash (`kind: "dynamicToolkit"`)"
 * @example
 * ```ts
 * import { dynamicToolkit, dynamicToolkitCanonicalPayload } from "@agentprint/agent-capabilities";
 *
 * dynamicToolkitCanonicalPayload(dynamicToolkit({ name: "d", create: () => [] }));
 * // { kind: "dynamicToolkit", name: "d", instructions: null, policies: [] }
 * ```
 */
export function dynamicToolkitCanonicalPayload(
  toolkit: Pick<DynamicToolkit, "name" | "instructions" | "policies">,
  options: SortOptions | HashOptions = {},
): DynamicToolkitPayload {
  return {
    kind: "dynamicToolkit",
    name: toolkit.name,
    instructions: toolkit.instructions ?? null,
    policies: toolkit.policies.map(({ id }) => id).sort(keyComparator(options.sort ?? "code-unit")),
  };
}
