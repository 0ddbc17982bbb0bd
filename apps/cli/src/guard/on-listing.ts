import type { GuardEvent } from "@agentprint/guard";

/**
 * Returns an observer of events that acts when a server has listed its items, such as after it announced a change.
 *
 * @param every The shortest time between two actions, and before the first one, in milliseconds
 */
export function onListing(every: number, act: () => Promise<void>): (event: GuardEvent) => void {
  let last = performance.now();
  let isActing = false;
  return ({ kind }) => {
    if (kind !== "listing" || isActing || performance.now() - last < every) return;
    isActing = true;
    void act().finally(() => {
      last = performance.now();
      isActing = false;
    });
  };
}
