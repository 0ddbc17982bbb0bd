import type { InclusionProof } from "@agentprint/trail/checkpoint";
import type { Config } from "../config/config.ts";
import { RegistryError } from "../errors.ts";
import { Thread } from "../thread.ts";
import type { SigningRound } from "./checkpoints.ts";

const MAX_WAITING = 64;

/** The data with which the thread starts. */
export interface TrailThreadData {
  readonly config: Config;
  readonly statementTimeoutMs: number;
}

/** A request to the thread. */
export type TrailRequest =
  | { readonly kind: "sign"; readonly skip: readonly string[] }
  | { readonly kind: "prove"; readonly taskId: string; readonly size: number; readonly positions: readonly number[] };

/** An answer from the thread. */
export type TrailAnswer =
  | (RoundReport & { readonly kind: "round" })
  | { readonly kind: "proofs"; readonly proofs: readonly InclusionProof[] };

/** The result of a round of signing, and the number of versions that are still unsigned. */
export interface RoundReport extends SigningRound {
  /** The time when the oldest version that is not in a checkpoint was accepted, in ISO 8601. */
  readonly oldest: string | undefined;
  /** The agents that were skipped and have unsigned versions. */
  readonly stillSkipped: readonly string[];
  /** The number of chains whose newest checkpoint was not sent to `checkpoint_to`, and the reason. */
  readonly unsent: number;
  readonly sendProblem: string | undefined;
}

/** Reads complete chains in a separate thread. */
export class TrailThread {
  readonly #thread: Thread<TrailRequest, TrailAnswer>;

  constructor(data: TrailThreadData) {
    this.#thread = new Thread({
      entry: "trail-worker",
      beside: import.meta.url,
      name: "the thread that reads chains",
      maxWaiting: MAX_WAITING,
      data,
    });
  }

  /** Signs the chain of every agent that has versions after its newest checkpoint, except for the agents in `skip`. */
  async sign(skip: readonly string[]): Promise<RoundReport> {
    const answer = await this.#thread.ask({ kind: "sign", skip });
    if (answer.kind === "round") return answer;
    throw new RegistryError("INTERNAL", "the thread answered another request");
  }

  /**
   * Returns the proofs that the records at `positions` are among a task's first `size` records.
   *
   * @throws {@link RegistryError} `CORRUPT` when records are missing, `UNAVAILABLE`.
   */
  async prove(taskId: string, size: number, positions: readonly number[]): Promise<readonly InclusionProof[]> {
    const answer = await this.#thread.ask({ kind: "prove", taskId, size, positions });
    if (answer.kind === "proofs") return answer.proofs;
    throw new RegistryError("INTERNAL", "the thread answered another request");
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.#thread.close();
  }
}
