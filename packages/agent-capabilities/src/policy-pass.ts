import { throwIfAborted, untilAborted } from "./abort.ts";
import type { CapabilityContext } from "./context.ts";
import { CapabilityError, reasonOf } from "./errors.ts";
import { type Hooks, notify, type PolicyEvaluatedEvent } from "./hooks.ts";
import { type Policy, policyIdentity } from "./policy.ts";

/** What to do when a policy cannot answer: fail the whole pass, or deny what it guards and record why. */
export type PolicyErrors = "throw" | "deny";

/** Where in a pass a policy is asked. */
export interface PolicySite extends Pick<PolicyEvaluatedEvent, "phase" | "name"> {
  readonly observers: readonly Hooks[];
}

/** One pass over policies: each policy object is asked at most once, in the order in which it is met. */
export class PolicyPass<Env> {
  readonly failures: CapabilityError[] = [];
  readonly #answers = new Map<object, boolean>();
  readonly #ctx: CapabilityContext<Env>;
  readonly #onError: PolicyErrors;

  constructor(ctx: CapabilityContext<Env>, onError: PolicyErrors) {
    this.#ctx = ctx;
    this.#onError = onError;
  }

  /** The answer of a policy that has been asked. */
  answer(policy: Policy): boolean | undefined {
    return this.#answers.get(policyIdentity(policy));
  }

  /** Asks a policy that has not been asked. */
  async ask(policy: Policy, site: PolicySite): Promise<boolean> {
    const ok = await this.#evaluate(policy, site);
    this.#answers.set(policyIdentity(policy), ok);
    return ok;
  }

  async #evaluate(policy: Policy, { observers, phase, name }: PolicySite): Promise<boolean> {
    const event = { policyId: policy.id, phase, name, env: this.#ctx.env };
    const outcome = await this.#outcome(policy, `${phase} "${name}"`);
    if (typeof outcome === "boolean") {
      await notify(observers, "onPolicyEvaluated", { ...event, ok: outcome });
      return outcome;
    }
    await notify(observers, "onPolicyEvaluated", { ...event, ok: false, error: outcome });
    if (this.#onError === "throw") throw outcome;
    this.failures.push(outcome);
    return false;
  }

  /** What a policy answers, or why it did not. */
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
