import { keyComparator } from "@agentprint/canonical-json";
import { checkArgument, copyLines, invalid, requireName } from "../check-argument.ts";
import { CapabilityError, guarded } from "../errors.ts";
import type { HashOptions } from "../hash/hash-options.ts";
import { hashPlainObject } from "../hash/hash-plain-object.ts";
import { MAX_TOOLKIT_LEVELS } from "../limits.ts";
import type { Composable, EnvOf, Toolkit } from "./composable.ts";
import { assertComposable, HashedDefinition } from "./hashed-definition.ts";
import { copyHooks, type Hooks } from "./hooks.ts";
import { copyPolicies, type Policy } from "./policy.ts";

/** Options of {@link toolkit}. */
export interface ToolkitOptions<Env> {
  readonly name: string;
  readonly instructions?: string | readonly string[] | undefined;
  /** Policies that guard every member; they are evaluated before the members' own. */
  readonly policies?: readonly Policy<Env>[] | undefined;
  readonly hooks?: Hooks | undefined;
}

/** The object that is hashed for a toolkit. */
export interface ToolkitPayload {
  readonly kind: "toolkit";
  readonly name: string;
  readonly instructions: string | readonly string[] | null;
  readonly members: readonly { readonly name: string; readonly hash: string }[];
}

/** The number of levels of toolkits from a toolkit down, including itself. */
const depths = new WeakMap<object, number>();

/**
 * Composes members into a toolkit. Toolkits may be members of toolkits.
 *
 * @param members - Tools, toolkits and dynamic toolkits. The array is copied.
 * @param options - Name, instructions, policies, hooks.
 * @returns A frozen toolkit with its `staticHash`.
 * @throws {@link CapabilityError} `invalid-argument` when an option has the wrong type or a member is not a composable
 * @throws {@link CapabilityError} `too-deep` when toolkits nest more than 256 levels
 * @see Capability hashing, "Toolkit static hash (`kind: "toolkit"`)"
 * @example
 * ```ts
 * import { jsonSchema, tool, toolkit } from "@agentprint/agent-capabilities";
 *
 * const ping = tool({ name: "ping", inputSchema: jsonSchema(true), handler: () => "pong" });
 * const net = toolkit([ping], { name: "net", instructions: ["Be gentle with the network."] });
 * net.members.length; // 1
 * ```
 */
export function toolkit<const Members extends readonly Composable[], Env = unknown>(
  members: Members,
  options: ToolkitOptions<Env>,
): Toolkit<Members, Env & EnvOf<Members[number]>> {
  return guarded(
    "invalid-argument",
    "the definition of a toolkit",
    () => new DefinedToolkit<Members, Env & EnvOf<Members[number]>>(members, options),
  );
}

class DefinedToolkit<Members extends readonly Composable[], Env>
  extends HashedDefinition
  implements Toolkit<Members, Env>
{
  readonly kind = "toolkit";
  readonly name: string;
  readonly instructions: string | readonly string[] | undefined;
  readonly policies: readonly Policy[];
  readonly hooks: Hooks;
  readonly members: Members;

  constructor(members: Members, options: ToolkitOptions<never>) {
    super();
    const { name, instructions } = options;
    requireName("toolkit name", name);
    if (!Array.isArray(members)) throw invalid(`toolkit "${name}": members`, "an array", members);
    const foreign = members.findIndex((member) => !HashedDefinition.made(member));
    if (foreign >= 0) assertComposable(members[foreign], `toolkit "${name}": member ${foreign}`);
    const depth = 1 + members.reduce((deepest, member) => Math.max(deepest, depths.get(member) ?? 0), 0);
    if (depth > MAX_TOOLKIT_LEVELS) {
      throw new CapabilityError(
        "too-deep",
        `toolkit "${name}": expected at most ${MAX_TOOLKIT_LEVELS} levels of toolkits`,
      );
    }
    depths.set(this, depth);
    this.name = name;
    this.instructions =
      typeof instructions === "string" ? instructions : copyLines(`toolkit "${name}": instructions`, instructions);
    this.policies = copyPolicies(`toolkit "${name}"`, options.policies);
    this.hooks = copyHooks(options.hooks);
    this.members = Object.freeze([...members]) as unknown as Members;
    Object.freeze(this);
  }

  protected override hash(options: HashOptions): string {
    return hashPlainObject(toolkitCanonicalPayload(this, options), options);
  }
}

/**
 * Returns the object that is hashed for a toolkit, with its members as `{ name, hash }`, sorted by name.
 *
 * @param toolkit - A toolkit.
 * @param options - The sort order and how schemas are hashed.
 * @returns The payload.
 * @throws {@link CapabilityError} `schema-failed`, `unstable-schema` or `opaque-schema` when a schema has no fingerprint
 * @see Capability hashing, "Toolkit static hash (`kind: "toolkit"`)"
 * @example
 * ```ts
 * import { toolkit, toolkitCanonicalPayload } from "@agentprint/agent-capabilities";
 *
 * toolkitCanonicalPayload(toolkit([], { name: "empty" }));
 * // { kind: "toolkit", name: "empty", instructions: null, members: [] }
 * ```
 */
export function toolkitCanonicalPayload(
  toolkit: Pick<Toolkit, "name" | "instructions" | "members">,
  options: HashOptions = {},
): ToolkitPayload {
  checkArgument("toolkit", toolkit, { members: "array" });
  checkArgument("options", options, "object");
  const compare = keyComparator(options.sort ?? "code-unit");
  return {
    kind: "toolkit",
    name: toolkit.name,
    instructions: toolkit.instructions ?? null,
    members: toolkit.members
      .map((member) => ({ name: member.name, hash: member.computeStaticHash(options) }))
      .sort((a, b) => compare(a.name, b.name)),
  };
}
