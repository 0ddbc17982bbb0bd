import type { Logger } from "pino";
import type { UnsignableAgent } from "./checkpoints.ts";
import type { RoundReport, TrailThread } from "./trail-thread.ts";

/** The pause before a chain that cannot be signed is verified again. The pause doubles each time, up to an hour. */
const FIRST_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 3_600_000;
/** The most rounds in progress at the same time, so that a long chain delays only its own round. */
const MAX_ROUNDS = 4;
/** If no round succeeds for this long, the operator is notified. */
const MAX_SILENCE_MS = 300_000;
const MAX_LISTED = 5;

interface Failing extends UnsignableAgent {
  readonly pauseMs: number;
  readonly nextAt: number;
}

/** The dependencies of {@link CheckpointSigner}. */
export interface Signing {
  readonly thread: Pick<TrailThread, "sign">;
  readonly log: Logger;
  readonly now: () => Date;
}

/** Counts for metrics. */
export interface SigningCounts {
  readonly signed: number;
  readonly failures: number;
  readonly failing: number;
  readonly oldestMs: number;
  readonly unsent: number;
}

/** Signs an instance's checkpoints in rounds, and keeps track of the chains that it cannot sign. */
export class CheckpointSigner {
  readonly #signing: Signing;
  readonly #failing = new Map<string, Failing>();
  #oldest: string | undefined;
  #succeededAt: number;
  #lastError = "";
  #rounds = 0;
  #signed = 0;
  #failures = 0;
  #unsent = 0;
  #sendProblem: string | undefined;

  constructor(signing: Signing) {
    this.#signing = signing;
    this.#succeededAt = signing.now().getTime();
  }

  /** Signs the chain of every agent that has versions after its newest checkpoint; never rejects. */
  async round(): Promise<void> {
    const { thread, log } = this.#signing;
    if (this.#rounds >= MAX_ROUNDS) return;
    this.#rounds++;
    const now = this.#signing.now().getTime();
    const skip = [...this.#failing.values()].filter(({ nextAt }) => nextAt > now).map(({ agentId }) => agentId);
    try {
      this.#note(await thread.sign(skip), skip);
    } catch (error) {
      this.#failures++;
      this.#lastError = error instanceof Error ? error.message : "";
      log.error({ err: error }, "checkpoints could not be signed");
    } finally {
      this.#rounds--;
    }
  }

  /**
   * Returns the problems for an operator, one sentence each: chains without a signature, and checkpoints that were not
   * sent.
   */
  problems(): string[] {
    const failing = [...this.#failing.values()];
    const listed = failing
      .slice(0, MAX_LISTED)
      .map(({ agentId, since, reason }) => `the chain of ${agentId} has not been signed since ${since}: ${reason}`);
    if (failing.length > listed.length) listed.push(`${failing.length - listed.length} more chains are not signed`);
    const isSilent = this.#signing.now().getTime() - this.#succeededAt > MAX_SILENCE_MS;
    if (isSilent) {
      listed.push(`nothing has been signed since ${new Date(this.#succeededAt).toISOString()}: ${this.#lastError}`);
    }
    if (this.#sendProblem !== undefined) listed.push(`checkpoints are not sent elsewhere: ${this.#sendProblem}`);
    return listed;
  }

  /** Returns the counts for metrics. */
  counts(): SigningCounts {
    const oldestMs = this.#oldest === undefined ? 0 : this.#signing.now().getTime() - Date.parse(this.#oldest);
    return {
      signed: this.#signed,
      failures: this.#failures,
      failing: this.#failing.size,
      oldestMs,
      unsent: this.#unsent,
    };
  }

  #note({ signed, failed, oldest, stillSkipped, unsent, sendProblem }: RoundReport, skip: readonly string[]): void {
    const { log, now } = this.#signing;
    const at = now().getTime();
    this.#succeededAt = at;
    this.#signed += signed.length;
    this.#failures += failed.length;
    this.#oldest = oldest;
    this.#unsent = unsent;
    if (sendProblem !== undefined) log.error({ reason: sendProblem }, "checkpoints are not sent elsewhere");
    this.#sendProblem = sendProblem;
    for (const agentId of [...signed, ...skip.filter((one) => !stillSkipped.includes(one))]) {
      this.#failing.delete(agentId);
    }
    for (const agent of failed) {
      const before = this.#failing.get(agent.agentId);
      const pauseMs = before ? Math.min(2 * before.pauseMs, MAX_PAUSE_MS) : FIRST_PAUSE_MS;
      this.#failing.set(agent.agentId, { ...agent, pauseMs, nextAt: at + pauseMs });
      log.error({ agent_id: agent.agentId, since: agent.since, reason: agent.reason }, "a chain cannot be signed");
    }
    if (signed.length > 0) log.info({ agents: signed.length }, "checkpoints were signed");
  }
}
