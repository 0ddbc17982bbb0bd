import { keyComparator } from "@agentprint/canonical-json";
import {
  assertComposable,
  type Composable,
  type ComposableBase,
  copyPolicies,
  MAX_NESTING,
  makeComposable,
} from "./composable.ts";
import { CapabilityError } from "./errors.ts";
import type { EnvOf } from "./evaluated-types.ts";
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
const depths = new WeakMap<Composable, number>();

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
  const { name, hooks } = options;
  requireName("toolkit name", name);
  if (!Array.isArray(members)) throw invalid(`toolkit "${name}": members`, "an array", members);
  for (const [index, member] of members.entries()) assertComposable(member, `toolkit "${name}": member ${index}`);
  const definition = {
    kind: "toolkit" as const,
    name,
    instructions:
      typeof options.instructions === "string"
        ? options.instructions
        : copyLines(`toolkit "${name}": instructions`, options.instructions),
    policies: copyPolicies(`toolkit "${name}"`, options.policies),
    hooks: Object.freeze({ ...hooks }),
    members: Object.freeze([...members]) as unknown as Members,
  };
  const depth = 1 + members.reduce((deepest, member) => Math.max(deepest, depths.get(member) ?? 0), 0);
  if (depth > MAX_NESTING) {
    throw new CapabilityError("too-deep", `toolkit "${name}": expected at most ${MAX_NESTING} levels of toolkits`);
  }
  const made = makeComposable(definition, (self, hashOptions) =>
    hashPlainObject(toolkitCanonicalPayload(self, hashOptions), hashOptions),
  );
  depths.set(made, depth);
  return made;
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
