import type { CapabilityContext } from "../define/context.ts";
import type { Hooks, PolicyEvaluatedEvent } from "../define/hooks.ts";
import { type Policy, policyIdentity } from "../define/policy.ts";
import { CapabilityError, reasonOf } from "../errors.ts";
import { throwIfAborted, untilAborted } from "./abort.ts";
import { notifyHooks } from "./notify-hooks.ts";

/**
 * The effect of a policy that cannot answer: fail the complete pass, or deny the tools that the policy guards and
 * record the error.
 */
export type PolicyErrors = "throw" | "deny";

/** The place in the tree at which a policy is evaluated. */
export interface PolicySite extends Pick<PolicyEvaluatedEvent, "phase" | "name"> {
  readonly observers: readonly Hooks[];
}

/** One pass over policies: each policy object is evaluated at most once, in the order in which the pass meets it. */
export class PolicyPass<Env> {
  readonly failures: CapabilityError[] = [];
  readonly #answers = new Map<object, boolean>();
  readonly #ctx: CapabilityContext<Env>;
  readonly #onError: PolicyErrors;

  constructor(ctx: CapabilityContext<Env>, onError: PolicyErrors) {
    this.#ctx = ctx;
    this.#onError = onError;
  }

  /** Returns whether all of these policies returned `true`. The pass must have evaluated them. */
  allows(policies: readonly Policy[]): boolean {
    for (const policy of policies) if (this.#answerOf(policy) !== true) return false;
    return true;
  }

  /** Evaluates the policies that the pass has not evaluated yet. */
  async askAll(policies: Iterable<Policy>, site: PolicySite): Promise<void> {
    for (const policy of policies) {
      if (this.#answerOf(policy) === undefined) await this.#ask(policy, site);
    }
  }

  /** Returns whether all policies return `true`. Policies after the first denial are not evaluated. */
  async askUntilDenied(policies: Iterable<Policy>, site: PolicySite): Promise<boolean> {
    for (const policy of policies) {
      const isAllowed = this.#answerOf(policy) ?? (await this.#ask(policy, site));
      if (!isAllowed) return false;
    }
    return true;
  }

  #answerOf(policy: Policy): boolean | undefined {
    return this.#answers.get(policyIdentity(policy));
  }

  async #ask(policy: Policy, { observers, phase, name }: PolicySite): Promise<boolean> {
    const event = { policyId: policy.id, phase, name, env: this.#ctx.env };
    const outcome = await this.#outcome(policy, `${phase} "${name}"`);
    const isAllowed = outcome === true;
    const error = typeof outcome === "boolean" ? undefined : outcome;
    await notifyHooks(observers, "onPolicyEvaluated", { ...event, ok: isAllowed, ...(error && { error }) });
    if (error !== undefined) {
      if (this.#onError === "throw") throw error;
      this.failures.push(error);
    }
    this.#answers.set(policyIdentity(policy), isAllowed);
    return isAllowed;
  }

  /** Returns a policy's answer, or the error that explains why there is none. */
  async #outcome(policy: Policy, where: string): Promise<boolean | CapabilityError> {
    const { signal } = this.#ctx;
    const what = `policy "${policy.id}"`;
    try {
      const answer: unknown = await untilAborted(signal, what, () =>
        policy.evaluate(this.#ctx as CapabilityContext<never>),
      );
      if (typeof answer === "boolean") return answer;
      throw new TypeError(`expected true or false, received ${typeof answer}`);
    } catch (cause) {
      throwIfAborted(signal, what);
      return new CapabilityError("policy-failed", `${what} of ${where} failed: ${reasonOf(cause)}`, {
        cause,
        policyId: policy.id,
      });
    }
  }
}
