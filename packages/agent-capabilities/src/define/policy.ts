import { invalid, requireFunction, requireName } from "../check-argument.ts";
import { guarded } from "../errors.ts";
import type { ExecuteBinding, PolicyBinding } from "../hash/tool-spec.ts";
import type { CapabilityContext } from "./context.ts";

/**
 * Decides whether a tool or toolkit is enabled. An evaluation evaluates a policy object once, even if several places
 * use it.
 */
export interface Policy<Env = never> extends PolicyBinding {
  evaluate(ctx: CapabilityContext<Env>): boolean | Promise<boolean>;
}

/**
 * Makes a policy.
 *
 * @param id - Names the policy in hashes, errors and events.
 * @param evaluate - Returns `true` to enable. If it throws, or returns anything but a boolean, the evaluation fails
 * with a `policy-failed` error that has the policy's id.
 * @param options - `executeBinding`: `"live"` (default) or `"snapshot"`.
 * @returns A frozen policy. Share the object to have it evaluated once.
 * @throws {@link CapabilityError} `invalid-argument` when the id is not text, `evaluate` is not a function or the
 * binding is unknown
 * @see Capability hashing, "Tool static hash (`kind: "tool"`)", `policyBindings`
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

/** For each frozen copy of a policy, the object from which it was made. */
const sources = new WeakMap<object, object>();

/**
 * Returns the object that identifies a policy in an evaluation. Tools and toolkits keep copies of the object that the
 * caller shares, so copies are traced back to it.
 */
export function policyIdentity(policy: Policy): object {
  return sources.get(policy) ?? policy;
}

/** Returns a frozen list of frozen policies. */
export function copyPolicies(where: string, policies: unknown): readonly Policy[] {
  if (policies === undefined) return Object.freeze([]);
  if (!Array.isArray(policies)) throw invalid(`${where}: policies`, "an array", policies);
  return Object.freeze(policies.map((policy: unknown, index) => copyPolicy(`${where}: policy ${index}`, policy)));
}

/**
 * Returns a frozen policy that calls the given policy's `evaluate`. The caller's object may change afterwards; id,
 * binding and function of the copy do not. A policy made by `policy()` is already frozen and is returned unchanged.
 *
 * @throws {@link CapabilityError} `invalid-argument` when the id, the function or the binding is not usable
 */
function copyPolicy<Env>(what: string, value: unknown): Policy<Env> {
  if (typeof value !== "object" || value === null) throw invalid(what, "the result of policy()", value);
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
