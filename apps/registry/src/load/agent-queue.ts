import { RegistryError } from "../errors.ts";

/** The most changes of one agent that may wait at the same time. */
const MAX_WAITING = 64;

/**
 * Runs each agent's changes one after another. Otherwise, in PostgreSQL, they would wait for the agent's row, each
 * holding a connection that other agents' changes need.
 */
export class AgentQueue {
  readonly #waiting = new Map<string, (() => void)[]>();

  /**
   * Returns the result of `work`, which begins when no other work for the agent is in progress.
   *
   * @throws {@link RegistryError} `UNAVAILABLE` when too many changes to the agent are waiting.
   */
  async run<T>(agentId: string, work: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(agentId);
    if (!waiting) this.#waiting.set(agentId, []);
    else if (waiting.length >= MAX_WAITING) {
      const message = "too many changes to this agent are waiting; nothing was stored";
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
