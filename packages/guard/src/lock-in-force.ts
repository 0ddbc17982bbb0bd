import { isSameJson, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { LockFile } from "@agentprint/mcp-lock";
import { decide, type GuardDecision, hashPolicy, type Policy, type Screening, screeningOf } from "@agentprint/policy";
import type { GuardOptions } from "./options.ts";
import { withoutHiddenText } from "./results/screen.ts";
import { GUARD_RULES, type GuardRuleId } from "./rules.ts";
import { LockedWorld } from "./verify/baseline.ts";

/** The rules for requests by a server, by the client capability that allows such a request. */
const REQUEST_RULES: Readonly<Record<string, GuardRuleId>> = {
  sampling: "guard/sampling-request",
  elicitation: "guard/elicitation-request",
  roots: "guard/roots-request",
};

/** How the new lock differs from the one that it replaced. */
export interface Replaced {
  /** Whether decisions on the server's messages stay the same. */
  readonly isSame: boolean;
  /** Whether the lock's tools have other names than before. */
  readonly hasOtherNames: boolean;
}

/** The lock and the policy by which a guard decides. */
export class LockInForce {
  readonly server: string;
  /** Client capabilities that the policy withholds from the server. */
  denied: ReadonlySet<string>;
  /** The server's state in the lock or, if the lock no longer has the server, its last state. */
  world: LockedWorld;
  /** Whether the lock has an entry for the server; without one, everything is refused. */
  isLocked = true;
  policy: Policy;
  /** The screening mode: the option's or, without one, the policy's. */
  screen: Screening;
  readonly #screen: Screening | undefined;

  constructor({ lock, server, policy, screen }: GuardOptions) {
    this.server = server;
    this.world = new LockedWorld(lock, server);
    this.policy = policy;
    this.#screen = screen;
    this.screen = screen ?? screeningOf(policy, server);
    this.denied = this.#deniedKinds();
  }

  /** Replaces the lock and the policy. */
  replace(lock: LockFile, policy: Policy): Replaced {
    const { world: before, isLocked: wasLocked } = this;
    this.isLocked = lock.servers.some(({ name }) => name === this.server);
    const isSamePolicy = hashPolicy(policy) === hashPolicy(this.policy);
    this.policy = policy;
    this.screen = this.#screen ?? screeningOf(policy, this.server);
    this.denied = this.#deniedKinds();
    if (this.isLocked) this.world = new LockedWorld(lock, this.server);
    return {
      isSame: isSamePolicy && this.isLocked && wasLocked && isSameEntry(before, this.world),
      hasOtherNames: !isSameJson([...before.names], [...this.world.names]),
    };
  }

  /** Returns the policy's decision for a rule at run time. */
  decide(rule: GuardRuleId, tool?: string): GuardDecision {
    const { level, isRemark } = GUARD_RULES[rule];
    const place = { subject: this.server, server: this.server, ...(tool !== undefined && { tool }) };
    return decide({ rule, level, place, ...(isRemark && { isRemark }) }, this.policy).guard;
  }

  /** Returns a message from the server in the form that the client sees; `undefined` if no part of it can be shown. */
  shown(message: JsonObject): JsonObject | undefined {
    return this.screen === "withhold" ? withoutHiddenText(message, this.world.hiddenTexts) : message;
  }

  #deniedKinds(): ReadonlySet<string> {
    const kinds = Object.entries(REQUEST_RULES).filter(([, rule]) => this.decide(rule) !== "pass");
    return new Set(kinds.map(([kind]) => kind));
  }
}

function isSameEntry(one: LockedWorld, other: LockedWorld): boolean {
  return isSameJson(one.entry as unknown as JsonValue, other.entry as unknown as JsonValue);
}
