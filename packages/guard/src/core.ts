import { randomBytes } from "node:crypto";
import { sha256Hex } from "@agentprint/canonical-json";
import type { Era, ListName, LockFile } from "@agentprint/mcp-lock";
import { type Policy, type Screening, screeningOf } from "@agentprint/policy";
import { DefinitionJudge } from "./calls/definition-judge.ts";
import { ExpiringSet } from "./calls/expiring-set.ts";
import { CallRate } from "./calls/rate.ts";
import { Seal } from "./calls/seal.ts";
import { TaskVerdicts } from "./calls/task-verdicts.ts";
import { type Clock, systemClock } from "./clock.ts";
import { decideRule } from "./decide-rule.ts";
import { type EventDetails, type EventSources, LazyContents, LazyDigests } from "./emit-event.ts";
import { GuardError } from "./errors.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import type { GuardOptions } from "./options.ts";
import { MessageReader } from "./read/read-message.ts";
import type { GuardRuleId } from "./rules.ts";
import { LockedWorld } from "./verify/baseline.ts";
import { Listing } from "./verify/listing.ts";
import { LISTS } from "./verify/lists.ts";
import { SharedListings } from "./verify/shared-listings.ts";

/** Kinds of requests of a server, by the capability of the client that allows them. */
const REQUEST_RULES: Readonly<Record<string, GuardRuleId>> = {
  sampling: "guard/sampling-request",
  elicitation: "guard/elicitation-request",
  roots: "guard/roots-request",
};

const DEFAULT_RECHECK_MS = 60_000;
const ID_BYTES = 9;

/** What all connections of a guard share. */
export class GuardCore {
  readonly server: string;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly ask: GuardOptions["ask"];
  readonly failOpen: boolean;
  readonly dryRun: boolean;
  readonly recheckMs: number;
  readonly judge: DefinitionJudge = new DefinitionJudge();
  readonly rate: CallRate = new CallRate();
  readonly seal: Seal;
  /** Answers that were used already. */
  readonly used: ExpiringSet;
  /** Calls that somebody agreed to and that the server has not finished. */
  readonly agreed: ExpiringSet;
  readonly tasks: TaskVerdicts;
  readonly reader: MessageReader;
  readonly shared: SharedListings;
  /** Capabilities of clients that the policy keeps from the server. */
  denied: ReadonlySet<string>;
  world: LockedWorld;
  policy: Policy;
  readonly #onEvent: GuardOptions["onEvent"];
  readonly #screen: Screening | undefined;
  readonly #prefix: string;
  #listings = new Map<string, Readonly<Record<ListName, Listing>>>();
  #ids = 0;

  constructor(options: GuardOptions) {
    const { lock, server, policy, clock = systemClock, random = randomBytes, limits = {} } = options;
    const { failOpen = false, dryRun = false, recheckMs = DEFAULT_RECHECK_MS, screen } = options;
    if (!(recheckMs >= 0)) throw new GuardError("invalid-option", `expected recheckMs ≥ 0, received ${recheckMs}`);
    this.server = server;
    this.world = new LockedWorld(lock, server);
    this.policy = policy;
    this.clock = clock;
    this.limits = { ...DEFAULT_LIMITS, ...limits };
    this.reader = new MessageReader(this.limits);
    this.used = new ExpiringSet(this.limits.pending);
    this.agreed = new ExpiringSet(this.limits.pending);
    this.tasks = new TaskVerdicts(this.limits.pending);
    this.ask = options.ask;
    this.failOpen = failOpen;
    this.dryRun = dryRun;
    this.recheckMs = recheckMs;
    this.#screen = screen;
    this.seal = new Seal(random);
    this.shared = new SharedListings(this);
    this.#onEvent = options.onEvent;
    this.#prefix = Buffer.from(random(ID_BYTES)).toString("hex");
    this.denied = this.#deniedKinds();
  }

  /** An id that no client and no server has: a random prefix and a number. */
  nextId(): string {
    return `${this.#prefix}-${++this.#ids}`;
  }

  /** The lists that are verified for an authorization in an era. */
  listings(authorization: string, era: Era): Readonly<Record<ListName, Listing>> {
    const key = `${era} ${authorization}`;
    const known = this.#listings.get(key);
    if (known) return known;
    const made = LISTS.map((kind): [ListName, Listing] => [kind.list, new Listing(kind, era, this.limits)]);
    const listings = Object.fromEntries(made) as Record<ListName, Listing>;
    this.#listings.set(key, listings);
    const [oldest] = this.#listings.keys();
    if (this.#listings.size > MAX_AUTHORIZATIONS && oldest !== undefined) this.#listings.delete(oldest);
    return listings;
  }

  /** Forgets when lists were verified: the server says that they changed, whoever it says it to. */
  invalidate(method: string): void {
    for (const listings of this.#listings.values()) {
      for (const { changed, list } of LISTS) if (changed.method === method) listings[list].invalidate();
    }
  }

  /** @throws {@link GuardError} `not-locked` when the lock has no entry of the server; the guard then goes on as before. */
  replaceLock(lock: LockFile, policy: Policy): void {
    this.world = new LockedWorld(lock, this.server);
    this.policy = policy;
    this.denied = this.#deniedKinds();
    this.#listings = new Map();
    this.emit({ kind: "replaced", from: "guard", outcome: "changed", correlation: this.nextId() });
  }

  /** What the policy decides about something that happened at run time. */
  decide(rule: GuardRuleId, tool?: string): ReturnType<typeof decideRule> {
    return decideRule(rule, this.policy, this.server, tool);
  }

  /** How hidden text is treated: as the options say, else as the policy. */
  get screen(): Screening {
    return this.#screen ?? screeningOf(this.policy, this.server);
  }

  get isRecorded(): boolean {
    return this.#onEvent !== undefined;
  }

  /** Tells of something. Where that fails, what was refused stays refused, and anything else is refused unless faults are let through. */
  emit(details: EventDetails, sources?: EventSources): void {
    if (this.#onEvent === undefined) return;
    try {
      this.#tell(this.#onEvent, details, sources);
    } catch (error) {
      const isRefused = details.outcome === "refused";
      if (!isRefused && !this.failOpen && !this.dryRun) throw error;
      this.fault(details.from === "client" ? "client" : "server", error, { ...details, isRefused });
    }
  }

  #tell(onEvent: NonNullable<GuardOptions["onEvent"]>, details: EventDetails, sources: EventSources = {}): void {
    const { of = {}, verdicts } = sources;
    const tools = verdicts && new Map([...verdicts].map(([name, { decision }]) => [name, decision]));
    onEvent({
      decision: details.outcome === "refused" ? "block" : "pass",
      findings: [],
      ...details,
      ...(tools && { tools }),
      server: this.server,
      time: this.clock.now(),
      digests: new LazyDigests(of, this.world.entry.digest),
      contents: new LazyContents(of),
    });
  }

  /** Tells that the guard itself failed, and what happens with the message because of that. What tells may be what failed. */
  fault(from: "client" | "server", error: unknown, about: Faulted = {}): void {
    if (this.#onEvent === undefined) return;
    const { method, tool, request, isRefused = !this.failOpen, correlation = this.nextId() } = about;
    try {
      this.#tell(this.#onEvent, {
        kind: "fault",
        from,
        outcome: isRefused ? "refused" : "passed",
        reason: error instanceof Error ? error.name : "unknown",
        correlation,
        ...(method !== undefined && { method }),
        ...(tool !== undefined && { tool }),
        ...(request && { request }),
      });
    } catch {}
  }

  #deniedKinds(): ReadonlySet<string> {
    const kinds = Object.entries(REQUEST_RULES).filter(([, rule]) => this.decide(rule) !== "pass");
    return new Set(kinds.map(([kind]) => kind));
  }
}

/** What the guard was doing when it failed. */
type Faulted = Partial<Pick<EventDetails, "method" | "tool" | "request" | "correlation">> & {
  readonly isRefused?: boolean;
};

/** Authorizations whose lists are remembered; of more, the oldest are verified again. */
const MAX_AUTHORIZATIONS = 1000;

/** An authorization as a key: its digest. */
export function authorizationKey(authorization: string | undefined): string {
  return authorization === undefined ? "" : sha256Hex(authorization);
}
