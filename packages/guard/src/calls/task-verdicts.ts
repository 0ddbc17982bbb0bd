import type { ItemVerdict } from "../verify/verdict.ts";

/** The verdicts on the tools of the server's running tasks. Beyond the limit, forgets the oldest. */
export class TaskVerdicts {
  readonly #verdicts = new Map<string, ItemVerdict>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** @param owner The digest of the client that owns the task: two processes of a server may use the same id. */
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
