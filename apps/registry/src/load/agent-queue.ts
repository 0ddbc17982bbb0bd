import { RegistryError } from "../errors.ts";

/** The most changes of one agent that wait at the same time. */
const MAX_WAITING = 64;

/**
 * Runs the changes of each agent one after the other. In PostgreSQL they would wait for the agent's row, each holding a
 * connection that changes of other agents need.
 */
export class AgentQueue {
  readonly #waiting = new Map<string, (() => void)[]>();

  /**
   * Returns the result of `work`, which begins when no other work of the agent is in progress.
   *
   * @throws {@link RegistryError} `UNAVAILABLE` when too many changes of the agent are waiting.
   */
  async run<T>(agentId: string, work: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(agentId);
    if (!waiting) this.#waiting.set(agentId, []);
    else if (waiting.length >= MAX_WAITING) {
      const message = "too many changes of this agent wait; nothing was stored";
      throw new RegistryError("UNAVAILABLE", message, { headers: { "retry-after": "1" } });
    } else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      this.#next(agentId);
    }
  }

  #next(agentId: string): void {
    const next = this.#waiting.get(agentId)?.shift();
    if (next) next();
    else this.#waiting.delete(agentId);
  }
}
