import type { EventKey } from "../envelope/event-keys.ts";
import { openEnvelope } from "../envelope/open-envelope.ts";
import { sealText } from "../envelope/seal-event.ts";
import { openJsonLines } from "../sink/json-lines-sink.ts";
import type { Sink, SinkThought } from "../sink/sink.ts";
import { openStore } from "../sink/store-sink.ts";
import type { Chain, ChainEntry, ChainOptions } from "./chain.ts";

const STORE_URL = /^(?:file|sqlite|postgres|postgresql):/;

/**
 * A chain that is sealed and written by this thread.
 *
 * @throws {@link RecorderError} `session-exists` when the store has a chain of this session.
 */
export async function openSealedChain(options: ChainOptions, key: EventKey): Promise<Chain> {
  const { sessionId: task_id, agentId: agent_id } = options;
  const sink = await openSink(options);
  const toThought = ({ id, type, timestamp, text, isEvent }: ChainEntry): SinkThought => {
    const fields = { id, type, task_id, timestamp };
    return { ...fields, agent_id, content: isEvent ? sealText(text, fields, key) : text };
  };
  return {
    append: (entries) => sink.append(entries.map(toThought)),
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

function openSink({ store, sessionId, agentId, withTree }: ChainOptions): Promise<Sink> {
  return STORE_URL.test(store)
    ? openStore(store, sessionId, agentId, withTree)
    : openJsonLines(store, sessionId, withTree);
}
