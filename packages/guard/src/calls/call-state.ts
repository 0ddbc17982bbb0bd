import type { GuardOptions } from "../options.ts";
import type { ItemVerdict } from "../verify/verdict.ts";
import { DefinitionJudge } from "./definition-judge.ts";
import { Seal } from "./seal.ts";

/** The guard's memory of calls, of questions about them, and of tasks. */
export class CallState {
  readonly ask: GuardOptions["ask"];
  readonly judge: DefinitionJudge = new DefinitionJudge();
  readonly rate: CallRate = new CallRate();
  readonly seal: Seal;
  /** Answers that have already been used. */
  readonly used: ExpiringSet;
  /** Calls that a person agreed to and that the server has not finished. */
  readonly agreed: ExpiringSet;
  readonly tasks: TaskVerdicts;
  /** Tasks that the guard has cancelled. */
  readonly cancelledTasks: ExpiringSet;

  /** @param pending The maximum number of entries of each kind. */
  constructor(ask: GuardOptions["ask"], random: (bytes: number) => Uint8Array, pending: number) {
    this.ask = ask;
    this.seal = new Seal(random);
    this.used = new ExpiringSet(pending);
    this.agreed = new ExpiringSet(pending);
    this.tasks = new TaskVerdicts(pending);
    this.cancelledTasks = new ExpiringSet(pending);
  }
}

/** Remembers texts for a limited time. Beyond the limit, it forgets the oldest text. */
export class ExpiringSet {
  readonly #until = new Map<string, number>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  has(text: string, now: number): boolean {
    return (this.#until.get(text) ?? 0) >= now && this.#until.has(text);
  }

  /** Adds a text. Returns `false` if the set already contains it. */
  add(text: string, until: number, now: number): boolean {
    if (this.has(text, now)) return false;
    for (const [oldest, end] of this.#until) {
      if (end >= now && this.#until.size < this.#max) break;
      this.#until.delete(oldest);
    }
    this.#until.set(text, until);
    return true;
  }
}

const MINUTE_MS = 60_000;

/** Counts the calls to each tool in the last minute. */
export class CallRate {
  readonly #times = new Map<string, number[]>();

  /** Counts a call. Returns `false`, without counting the call, if the last minute already has `maxPerMinute` calls. */
  take(tool: string, maxPerMinute: number, now: number): boolean {
    const times = this.#times.get(tool) ?? [];
    let old = 0;
    while (old < times.length && now - (times[old] as number) >= MINUTE_MS) old++;
    times.splice(0, old);
    if (times.length >= maxPerMinute) return false;
    times.push(now);
    this.#times.set(tool, times);
    return true;
  }
}

/** The verdicts on the tools of the server's running tasks. Beyond the limit, it forgets the oldest text. */
class TaskVerdicts {
  readonly #verdicts = new Map<string, ItemVerdict>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * @param owner The digest of the client that owns the task, because two processes of a server may use the same id.
   */
  add(owner: string, id: string, verdict: ItemVerdict): void {
    const key = JSON.stringify([owner, id]);
    this.#verdicts.delete(key);
    this.#verdicts.set(key, verdict);
    const [oldest] = this.#verdicts.keys();
    if (this.#verdicts.size > this.#max && oldest !== undefined) this.#verdicts.delete(oldest);
  }

  get(owner: string, id: unknown): ItemVerdict | undefined {
    return this.#verdicts.get(JSON.stringify([owner, id]));
  }
}
