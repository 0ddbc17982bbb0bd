import type { ItemVerdict } from "../verify/verdict.ts";

/** What was decided about the tools of tasks that the server works on. Beyond the limit, the oldest is forgotten. */
export class TaskVerdicts {
  readonly #verdicts = new Map<string, ItemVerdict>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** @param owner Whose task it is: the digest of a client. Two processes of a server may give one id. */
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
