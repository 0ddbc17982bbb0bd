import { setTimeout as delay } from "node:timers/promises";
import type { Backend } from "./backend.ts";

/** Milliseconds. */
export const DEFAULT_RETRY_FOR_MS = 30_000;
const MIN_PAUSE_MS = 2;
const MAX_PAUSE_MS = 250;

/**
 * Retries `attempt` while it fails with a temporary error, for at most `forMs` milliseconds.
 *
 * @throws the last attempt's error, as a {@link TrailStoreError} if `classify` knows it.
 */
export async function retrying<T>(classify: Backend["classify"], forMs: number, attempt: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + forMs;
  for (let pause = MIN_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    try {
      return await attempt();
    } catch (error) {
      const known = classify(error);
      if (!known?.retry || performance.now() + pause > deadline) throw known?.error ?? error;
      // The pause is random, so that two writers that collided do not retry at the same moment.
      await delay(pause * (0.5 + Math.random()));
    }
  }
}

/** Runs `work`; throws an error that `classify` knows as this package's error. */
export async function classified<T>(classify: Backend["classify"], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw classify(error)?.error ?? error;
  }
}

/** Yields the items of `source`; throws an error that `classify` knows as this package's error. */
export async function* streaming<T>(
  classify: Backend["classify"],
  source: AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  try {
    yield* source;
  } catch (error) {
    throw classify(error)?.error ?? error;
  }
}
