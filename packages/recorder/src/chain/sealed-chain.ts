import { setTimeout as sleep } from "node:timers/promises";
import type { EventKey } from "../envelope/event-keys.ts";
import { openEnvelope } from "../envelope/open-envelope.ts";
import { sealText } from "../envelope/seal-event.ts";
import { openJsonLines } from "../sink/json-lines-sink.ts";
import type { Sink, SinkThought } from "../sink/sink.ts";
import { openStore } from "../sink/store-sink.ts";
import type { Chain, ChainEntry, ChainOptions } from "./chain.ts";

/** The number of entries in one batch, which takes about 200 microseconds. */
const STRETCH = 32;
/** The maximum number of batches in one write; with more entries, batches are longer. */
const MAX_STRETCHES = 8;
/**
 * In milliseconds: the length of a pause, and the time after which a write no longer pauses, for machines that wake
 * threads late.
 */
const PAUSE = 1;
const SPREAD_OVER = 10;
const STORE_URL = /^(?:file|sqlite|postgres|postgresql):/;

/**
 * Opens a chain that this thread seals and writes.
 *
 * @throws {@link RecorderError} `session-exists` if the store has a chain of this session.
 */
export async function openSealedChain(options: ChainOptions, key: EventKey): Promise<Chain> {
  const { sessionId: task_id, agentId: agent_id } = options;
  const sink = await openSink(options);
  const toThought = ({ id, type, timestamp, text, isEvent }: ChainEntry): SinkThought => {
    const fields = { id, type, task_id, timestamp };
    return { ...fields, agent_id, content: isEvent ? sealText(text, fields, key) : text };
  };
  return {
    append: (entries, isSpread = false) => sink.append(stretches(entries, isSpread, toThought)),
    findUnended: () =>
      sink.findUnended((record) => {
        const opened = openEnvelope(record, [key]);
        return opened.is === "event" && opened.event.kind === "session-end";
      }),
    settle: (reported) => sink.settle(reported),
    treeHead: () => sink.treeHead(),
    close: (ended) => sink.close(ended),
  };
}

/**
 * Yields the thoughts of all entries in batches, with pauses between them; in a single batch if they are not spread.
 */
async function* stretches(
  entries: readonly ChainEntry[],
  isSpread: boolean,
  toThought: (entry: ChainEntry) => SinkThought,
): AsyncGenerator<readonly SinkThought[]> {
  const length = isSpread ? Math.max(STRETCH, Math.ceil(entries.length / MAX_STRETCHES)) : entries.length;
  const begun = performance.now();
  for (let start = 0; start < entries.length; start += length) {
    if (start > 0 && performance.now() - begun < SPREAD_OVER) await sleep(PAUSE);
    yield entries.slice(start, start + length).map(toThought);
  }
}

function openSink({ store, sessionId, agentId, withTree }: ChainOptions): Promise<Sink> {
  return STORE_URL.test(store)
    ? openStore(store, sessionId, agentId, withTree)
    : openJsonLines(store, sessionId, withTree);
}
