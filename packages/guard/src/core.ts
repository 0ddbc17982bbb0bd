import { randomBytes } from "node:crypto";
import { isSameJson, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { LockFile } from "@agentprint/mcp-lock";
import { hashPolicy, type Policy, type Screening, screeningOf } from "@agentprint/policy";
import { DefinitionJudge } from "./calls/definition-judge.ts";
import { ExpiringSet } from "./calls/expiring-set.ts";
import { CallRate } from "./calls/rate.ts";
import { Seal } from "./calls/seal.ts";
import { TaskVerdicts } from "./calls/task-verdicts.ts";
import { type Clock, systemClock } from "./clock.ts";
import { decideRule } from "./decide-rule.ts";
import { type EventDetails, type EventSources, LazyContents, LazyDigests } from "./emit-event.ts";
import { GuardError } from "./errors.ts";
import type { GuardEvent } from "./events.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import type { GuardOptions } from "./options.ts";
import { clockOfProgram, ofProgram, ProgramFault } from "./program-fault.ts";
import { MessageReader } from "./read/read-message.ts";
import type { GuardRuleId } from "./rules.ts";
import { LockedWorld } from "./verify/baseline.ts";
import { ClientLists } from "./verify/client-lists.ts";
import { SharedListings } from "./verify/shared-listings.ts";

/** Kinds of requests of a server, by the capability of the client that allows them. */
const REQUEST_RULES: Readonly<Record<string, GuardRuleId>> = {
  sampling: "guard/sampling-request",
  elicitation: "guard/elicitation-request",
  roots: "guard/roots-request",
};

const DEFAULT_RECHECK_MS = 60_000;
const ID_BYTES = 9;

/** The state that all connections of a guard share. */
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
  /** Calls with consent that the server has not finished. */
  readonly agreed: ExpiringSet;
  readonly tasks: TaskVerdicts;
  /** Tasks that the guard has cancelled. */
  readonly cancelledTasks: ExpiringSet;
  readonly reader: MessageReader;
  readonly shared: SharedListings;
  readonly lists: ClientLists;
  /** Capabilities of clients that the policy keeps from the server. */
  denied: ReadonlySet<string>;
  /** The server's state in the lock; where the lock no longer has the server, the last state that it had. */
  world: LockedWorld;
  /** Whether the lock has an entry of the server: without one, everything is refused. */
  isLocked = true;
  policy: Policy;
  readonly #onEvent: GuardOptions["onEvent"];
  readonly #screen: Screening | undefined;
  #screening: Screening;
  readonly #prefix: string;
  #ids = 0;

  constructor(options: GuardOptions) {
    const { lock, server, policy, clock, random = randomBytes, limits = {} } = options;
    const { failOpen = false, dryRun = false, recheckMs = DEFAULT_RECHECK_MS, screen } = options;
    if (!(recheckMs >= 0)) throw new GuardError("invalid-option", `expected recheckMs ≥ 0, received ${recheckMs}`);
    this.server = server;
    this.world = new LockedWorld(lock, server);
    this.policy = policy;
    this.clock = clock === undefined ? systemClock : clockOfProgram(clock);
    this.limits = { ...DEFAULT_LIMITS, ...limits };
    this.reader = new MessageReader(this.limits);
    this.used = new ExpiringSet(this.limits.pending);
    this.agreed = new ExpiringSet(this.limits.pending);
    this.tasks = new TaskVerdicts(this.limits.pending);
    this.cancelledTasks = new ExpiringSet(this.limits.pending);
    this.ask = options.ask;
    this.failOpen = failOpen;
    this.dryRun = dryRun;
    this.recheckMs = recheckMs;
    this.#screen = screen;
    this.#screening = screen ?? screeningOf(policy, server);
    this.seal = new Seal((bytes) => ofProgram(() => random(bytes)));
    const shared = new SharedListings(this);
    this.shared = shared;
    this.lists = new ClientLists(this.limits, (listing) => shared.isReading(listing));
    this.#onEvent = options.onEvent;
    this.#prefix = Buffer.from(random(ID_BYTES)).toString("hex");
    this.denied = this.#deniedKinds();
  }

  /** Returns an id that no client and no server has: a random prefix and a number. */
  nextId(): string {
    return `${this.#prefix}-${++this.#ids}`;
  }

  /**
   * Replaces the lock and the policy. Verdicts stay where nothing that they depend on changed.
   *
   * @returns whether decisions about the server's messages may now differ
   */
  replaceLock(lock: LockFile, policy: Policy): boolean {
    const { world: before } = this;
    const wasLocked = this.isLocked;
    this.isLocked = lock.servers.some(({ name }) => name === this.server);
    const isSamePolicy = hashPolicy(policy) === hashPolicy(this.policy);
    this.policy = policy;
    this.#screening = this.#screen ?? screeningOf(policy, this.server);
    this.denied = this.#deniedKinds();
    if (this.isLocked) this.world = new LockedWorld(lock, this.server);
    else this.shared.clear();
    const isSame = isSamePolicy && this.isLocked && wasLocked && isSameEntry(before, this.world);
    if (!isSame) this.lists.clear();
    else if (!isSameJson([...before.names], [...this.world.names])) this.lists.forgetFound();
    return !isSame;
  }

  /** Returns the decision of the policy by a run-time rule. */
  decide(rule: GuardRuleId, tool?: string): ReturnType<typeof decideRule> {
    return decideRule(rule, this.policy, this.server, tool);
  }

  /** Returns the screening mode of the options, else that of the policy. */
  get screen(): Screening {
    return this.#screening;
  }

  get isRecorded(): boolean {
    return this.#onEvent !== undefined;
  }

  /** Emits an event. Throws where `onEvent` fails, unless the message is refused already or faults are let through. */
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
    const event: GuardEvent = {
      decision: details.outcome === "refused" ? "block" : "pass",
      findings: [],
      ...details,
      ...(tools && { tools }),
      server: this.server,
      time: this.clock.now(),
      digests: new LazyDigests(of, this.world.entry.digest),
      contents: new LazyContents(of),
    };
    ofProgram(() => onEvent(event));
  }

  /** Emits a fault event with the outcome for the message. Ignores an error of `onEvent`, which may be the fault. */
  fault(from: "client" | "server", error: unknown, about: Faulted = {}): void {
    if (this.#onEvent === undefined) return;
    const { method, tool, request, isRefused = !this.failOpen, correlation = this.nextId() } = about;
    try {
      this.#tell(this.#onEvent, {
        kind: "fault",
        from,
        outcome: isRefused ? "refused" : "passed",
        reason: nameOf(error instanceof ProgramFault ? error.cause : error),
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

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "unknown";
}

/** The message that the guard was handling when it failed. */
type Faulted = Partial<Pick<EventDetails, "method" | "tool" | "request" | "correlation">> & {
  readonly isRefused?: boolean;
};

function isSameEntry(one: LockedWorld, other: LockedWorld): boolean {
  return isSameJson(one.entry as unknown as JsonValue, other.entry as unknown as JsonValue);
}
