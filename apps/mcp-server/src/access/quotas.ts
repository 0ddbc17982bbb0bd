import type { TrailStore } from "@agentprint/trail-store";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Config } from "../config.ts";
import { McpServerError } from "../errors.ts";

const MINUTE = 60;

/** What one task may cost, counted by this process. */
export class Quotas {
  readonly #trail: TrailStore;
  readonly #calls: RateLimiterMemory;
  readonly #records: number;
  /** The last call of each task that records. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(trail: TrailStore, config: Pick<Config, "task_minute_limit" | "task_record_limit">) {
    this.#trail = trail;
    this.#calls = new RateLimiterMemory({ points: config.task_minute_limit, duration: MINUTE });
    this.#records = config.task_record_limit;
  }

  /**
   * Counts a call that records, verifies or signs a task.
   *
   * @throws {@link McpServerError} `TOO_MANY_CALLS`.
   */
  async count(taskId: string): Promise<void> {
    try {
      await this.#calls.consume(taskId);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      const limit = `at most ${this.#calls.points} calls a minute record, verify or sign one task`;
      throw new McpServerError("TOO_MANY_CALLS", `${limit}: try again in ${seconds} s`);
    }
  }

  /**
   * Runs `append` if the task has room for a record. The calls of one task follow one another, so that no two of them take
   * the same room.
   *
   * @throws {@link McpServerError} `TASK_FULL`.
   */
  async append<T>(taskId: string, append: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(taskId) ?? Promise.resolve()).then(async () => {
      const { records } = await this.#trail.list(taskId, { after: this.#records - 2, limit: 1 });
      if (records.length === 0) return append();
      throw new McpServerError("TASK_FULL", `the task has ${this.#records} records, and no more are taken`);
    });
    const settled = turn.then(
      () => {},
      () => {},
    );
    this.#turns.set(taskId, settled);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(taskId) === settled) this.#turns.delete(taskId);
    }
  }
}
