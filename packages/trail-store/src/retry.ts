import { setTimeout as delay } from "node:timers/promises";
import type { Backend } from "./backend.ts";

/**
 * Runs `attempt` until it succeeds, for `forMs` at most, while the database says that trying again may help.
 *
 * @throws what the last attempt failed with, as a `TrailStoreError` where it has a name.
 */
export async function retrying<T>(classify: Backend["classify"], forMs: number, attempt: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + forMs;
  for (let pause = 2; ; pause = Math.min(pause * 2, 250)) {
    try {
      return await attempt();
    } catch (error) {
      const classified = classify(error);
      if (!classified?.retry || performance.now() + pause > deadline) throw classified?.error ?? error;
      // Writers that collided must not meet again at the same moment.
      await delay(pause * (0.5 + Math.random()));
    }
  }
}
