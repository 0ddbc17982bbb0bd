import { keyComparator } from "@agentprint/canonical-json";
import {
  assertComposable,
  type Composable,
  type ComposableBase,
  copyHooks,
  copyPolicies,
  Hashed,
  MAX_NESTING,
} from "./composable.ts";
import { CapabilityError } from "./errors.ts";
import type { EnvOf } from "./evaluated-types.ts";
import { guarded } from "./guarded.ts";
import type { HashOptions } from "./hash-options.ts";
import { hashPlainObject } from "./hash-plain-object.ts";
import type { Hooks } from "./hooks.ts";
import type { Policy } from "./policy.ts";
import { copyLines, invalid, requireName } from "./require.ts";

/** Tools and toolkits under one name, with instructions and policies of their own. */
export interface Toolkit<Members extends readonly Composable[] = readonly Composable[], Env = never>
  extends ComposableBase<"toolkit"> {
  readonly members: Members;
  /** Carries the type of the environment; never set. */
  readonly "~env"?: (env: Env) => void;
  /** As the caller passed them. */
  readonly instructions: string | readonly string[] | undefined;
}

/** Options of {@link toolkit}. */
export interface ToolkitOptions<Env> {
  readonly name: string;
  readonly instructions?: string | readonly string[] | undefined;
  /** Guard every member; asked before those of the members. */
  readonly policies?: readonly Policy<Env>[] | undefined;
  readonly hooks?: Hooks | undefined;
}

/** What is hashed of a toolkit. */
export interface ToolkitPayload {
  readonly kind: "toolkit";
  readonly name: string;
  readonly instructions: string | readonly string[] | null;
  readonly members: readonly { readonly name: string; readonly hash: string }[];
}

/** Levels of toolkits at and below a toolkit. */
const depths = new WeakMap<object, number>();

/**
 * Composes members into a toolkit; toolkits nest.
 *
 * @param members - Tools, toolkits and dynamic toolkits. The array is copied.
 * @param options - Name, instructions, policies, hooks.
 * @returns A frozen toolkit with its `staticHash`.
 * @throws {CapabilityError} `invalid-argument` or `too-deep` (256 levels).
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

class DefinedToolkit<Members extends readonly Composable[], Env> extends Hashed implements Toolkit<Members, Env> {
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
    const stranger = members.findIndex((member) => !Hashed.made(member));
    if (stranger >= 0) assertComposable(members[stranger], `toolkit "${name}": member ${stranger}`);
    const depth = 1 + members.reduce((deepest, member) => Math.max(deepest, depths.get(member) ?? 0), 0);
    if (depth > MAX_NESTING) {
      throw new CapabilityError("too-deep", `toolkit "${name}": expected at most ${MAX_NESTING} levels of toolkits`);
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
 * The object that is hashed for a toolkit: members as `{ name, hash }`, sorted by name.
 *
 * @param toolkit - A toolkit.
 * @param options - Order, and which view of schemas is hashed.
 * @returns The payload.
 * @throws {CapabilityError} As `computeStaticHash` of a member.
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
