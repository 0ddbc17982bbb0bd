import type { GuardEvent } from "@agentprint/guard";
import type { Recording } from "./recording.ts";

/** What is told of everything that a guard does. */
export interface Observer {
  readonly onEvent: (event: GuardEvent) => void;
  readonly close: () => Promise<void>;
}

/** A recording, and others that are told after it. */
export function withObservers(recording: Recording, others: readonly Observer[]): Recording {
  return {
    takeWait: recording.takeWait,
    onEvent: (event) => {
      recording.onEvent(event);
      for (const { onEvent } of others) onEvent(event);
    },
    close: async () => {
      await Promise.all([recording, ...others].map(({ close }) => close()));
    },
  };
}
