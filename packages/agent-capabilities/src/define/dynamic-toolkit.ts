import { keyComparator } from "@agentprint/canonical-json";
import { checkArgument, copyLines, requireFunction, requireName } from "../check-argument.ts";
import { guarded } from "../errors.ts";
import type { HashOptions, SortOptions } from "../hash/hash-options.ts";
import { hashPlainObject } from "../hash/hash-plain-object.ts";
import type { Composable, DynamicToolkit } from "./composable.ts";
import type { CapabilityContext } from "./context.ts";
import { HashedDefinition } from "./hashed-definition.ts";
import { copyHooks, type Hooks } from "./hooks.ts";
import { copyPolicies, type Policy } from "./policy.ts";

/** Argument of {@link dynamicToolkit}. */
export interface DynamicToolkitDefinition<Env> {
  readonly name: string;
  readonly instructions?: readonly string[] | undefined;
  /** Evaluated in order before `create`, which is called only if all of them return `true`. */
  readonly policies?: readonly Policy<Env>[] | undefined;
  readonly hooks?: Hooks | undefined;
  /** Creates the members. They are part of the runtime hash, not of the static hash. */
  readonly create: (ctx: CapabilityContext<Env>) => readonly Composable[] | Promise<readonly Composable[]>;
}

/** The object that is hashed for a dynamic toolkit. */
export interface DynamicToolkitPayload {
  readonly kind: "dynamicToolkit";
  readonly name: string;
  readonly instructions: readonly string[] | null;
  readonly policies: readonly string[];
}

/**
 * Defines a toolkit that creates its members at evaluation.
 *
 * @param definition - Name, instructions, policies, hooks and `create`.
 * @returns A frozen dynamic toolkit with its `staticHash`.
 * @throws {@link CapabilityError} `invalid-argument` when a member of the definition has the wrong type
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

class DefinedDynamicToolkit<Env> extends HashedDefinition implements DynamicToolkit<Env> {
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
 * Returns the object that is hashed for a dynamic toolkit. It has the ids of the policies without their bindings, and
 * none of the members that `create` returns.
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
  checkArgument("toolkit", toolkit, { policies: "array" });
  checkArgument("options", options, "object");
  return {
    kind: "dynamicToolkit",
    name: toolkit.name,
    instructions: toolkit.instructions ?? null,
    policies: toolkit.policies.map(({ id }) => id).sort(keyComparator(options.sort ?? "code-unit")),
  };
}
