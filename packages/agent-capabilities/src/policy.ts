import type { CapabilityContext } from "./context.ts";
import { guarded } from "./guarded.ts";
import { invalid, requireFunction, requireName } from "./require.ts";

/** When the answer of a policy holds: `live` is asked again at each execution, `snapshot` holds from the evaluation. */
export type ExecuteBinding = "live" | "snapshot";

/** The part of a policy that is hashed. */
export interface PolicyBinding {
  readonly id: string;
  readonly executeBinding: ExecuteBinding;
}

/** Decides whether what it guards is enabled. One policy object is asked once in an evaluation, wherever it is used. */
export interface Policy<Env = never> extends PolicyBinding {
  evaluate(ctx: CapabilityContext<Env>): boolean | Promise<boolean>;
}

/**
 * Makes a policy.
 *
 * @param id - Names the policy in hashes, errors and events.
 * @param evaluate - Answers `true` to enable. Anything but a boolean, and a throw, is an error with the policy's id.
 * @param options - `executeBinding`: `"live"` (default) or `"snapshot"`.
 * @returns A frozen policy; share the object to have it asked once.
 * @throws {CapabilityError} `invalid-argument`.
 * @see Capability hashing, "Tool static hash", `policyBindings`
 * @example
 * ```ts
 * import { policy } from "@agentprint/agent-capabilities";
 *
 * const canWrite = policy("tenant:can-write", async (ctx: { env: { plan: string } }) => ctx.env.plan === "pro");
 * canWrite.executeBinding; // "live"
 * ```
 */
export function policy<Env = unknown>(
  id: string,
  evaluate: (ctx: CapabilityContext<Env>) => boolean | Promise<boolean>,
  options: { readonly executeBinding?: ExecuteBinding } = {},
): Policy<Env> {
  return guarded("invalid-argument", "a policy", () => {
    const { executeBinding = "live" } = options;
    return copyPolicy("policy", { id, executeBinding, evaluate });
  });
}

/** Frozen policies, with the object that each is a copy of. */
const sources = new WeakMap<object, object>();

/** What a policy is known by in an evaluation: the object that the caller shares, of which tools and toolkits keep copies. */
export function policyIdentity(policy: Policy): object {
  return sources.get(policy) ?? policy;
}

/**
 * A frozen policy that asks the given one, which may change afterwards: neither its id nor its binding nor its function
 * does. What `policy()` made is returned as it is.
 *
 * @throws {CapabilityError} `invalid-argument` for what cannot be asked, hashed and replayed.
 */
export function copyPolicy<Env>(what: string, value: unknown): Policy<Env> {
  if (typeof value !== "object" || value === null) throw invalid(what, "what policy() returns", value);
  if (sources.has(value)) return value as Policy<Env>;
  const { id, executeBinding = "live", evaluate } = value as Policy<Env>;
  requirePolicy(what, { id, executeBinding, evaluate });
  const copy = Object.freeze({
    id,
    executeBinding,
    evaluate: (ctx: CapabilityContext<Env>) => evaluate.call(value, ctx),
  });
  sources.set(copy, value);
  return copy;
}

function requirePolicy(what: string, { id, executeBinding, evaluate }: Partial<Policy<never>>): void {
  requireName(`${what} id`, id);
  requireFunction(`${what} "${id}": evaluate`, evaluate);
  if (executeBinding === "live" || executeBinding === "snapshot") return;
  throw invalid(`${what} "${id}": executeBinding`, '"live" or "snapshot"', executeBinding, { policyId: id });
}

/** The hashed part of policies, in the same order. */
export function bindingsOf(policies: readonly PolicyBinding[]): PolicyBinding[] {
  return policies.map(({ id, executeBinding = "live" }) => ({ id, executeBinding }));
}
