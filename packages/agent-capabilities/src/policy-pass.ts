import { untilAborted } from "./abort.ts";
import type { CapabilityContext } from "./context.ts";
import { CapabilityError, reasonOf } from "./errors.ts";
import { type Hooks, notify, type PolicyEvaluatedEvent } from "./hooks.ts";
import type { Policy } from "./policy.ts";

/** What to do when a policy cannot answer: fail the whole pass, or deny what it guards and record why. */
export type PolicyErrors = "throw" | "deny";

/** Where in a pass a policy is asked. */
export interface PolicySite extends Pick<PolicyEvaluatedEvent, "phase" | "name"> {
  readonly observers: readonly Hooks[];
}

/** One pass over policies: each policy object is asked at most once, in the order in which it is met. */
export class PolicyPass<Env> {
  readonly failures: CapabilityError[] = [];
  readonly #answers = new Map<Policy, boolean>();
  readonly #ctx: CapabilityContext<Env>;
  readonly #onError: PolicyErrors;

  constructor(ctx: CapabilityContext<Env>, onError: PolicyErrors) {
    this.#ctx = ctx;
    this.#onError = onError;
  }

  /** The answer of a policy that has been asked. */
  answer(policy: Policy): boolean | undefined {
    return this.#answers.get(policy);
  }

  /** Asks a policy that has not been asked. */
  async ask(policy: Policy, site: PolicySite): Promise<boolean> {
    const ok = await this.#evaluate(policy, site);
    this.#answers.set(policy, ok);
    return ok;
  }

  async #evaluate(policy: Policy, { observers, phase, name }: PolicySite): Promise<boolean> {
    const { env, signal } = this.#ctx;
    const event = { policyId: policy.id, phase, name, env };
    try {
      const answer: unknown = await untilAborted(signal, `policy "${policy.id}"`, () =>
        policy.evaluate(this.#ctx as CapabilityContext<never>),
      );
      if (typeof answer !== "boolean") throw new TypeError(`expected true or false, received ${typeof answer}`);
      await notify(observers, "onPolicyEvaluated", { ...event, ok: answer });
      return answer;
    } catch (cause) {
      if (cause instanceof CapabilityError && (cause.code === "aborted" || cause.code === "hook-failed")) throw cause;
      const error = new CapabilityError(
        "policy-failed",
        `policy "${policy.id}" of ${phase} "${name}" failed: ${reasonOf(cause)}`,
        { cause, policyId: policy.id },
      );
      await notify(observers, "onPolicyEvaluated", { ...event, ok: false, error });
      if (this.#onError === "throw") throw error;
      this.failures.push(error);
      return false;
    }
  }
}
