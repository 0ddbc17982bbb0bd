import type { GuardEvent } from "@agentprint/guard";
import type { Recording } from "@agentprint/guard-proxy";

/** A listener to every event of a guard. */
export interface Observer {
  readonly onEvent: (event: GuardEvent) => void;
  readonly close: () => Promise<void>;
}

/** Returns a recording that first records each event and then passes it on to other observers. */
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
