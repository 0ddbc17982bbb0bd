import { MessageChannel, Worker, workerData } from "node:worker_threads";
import type { EventKey } from "../envelope/event-keys.ts";
import type { Chain, ChainOptions } from "./chain.ts";
import { openSealedChain } from "./sealed-chain.ts";
import { ThreadChain } from "./thread-chain.ts";
import type { ChainJob } from "./thread-protocol.ts";

/** The worker data that identifies the writing thread. */
const WRITES = "agentprint recorder";

/** The thread that writes the chains of all sessions in a process. `none` means that no thread is available. */
let thread: Worker | "none" | undefined;

/**
 * Opens the chain of a session. A separate thread seals and writes the chain if the key is a secret, which can be
 * passed to a thread, and if threads are available; otherwise, this thread does.
 *
 * @throws {@link RecorderError} `session-exists` if the store has a chain of this session.
 */
export async function openChain(options: ChainOptions, key: EventKey, secret: Uint8Array | undefined): Promise<Chain> {
  // A module that a user loads in every thread may also record, so the writing thread must not start another one.
  const isHere = secret === undefined || workerData === WRITES;
  return (isHere ? undefined : await openInThread({ options, secret })) ?? openSealedChain(options, key);
}

/**
 * Opens the chain in the writing thread. Returns `undefined` if no thread can be started, or if the thread ends before
 * it has a chain, because it could not load its code.
 */
async function openInThread(job: Omit<ChainJob, "port">): Promise<Chain | undefined> {
  if (thread === "none") return undefined;
  let chain: ThreadChain | undefined;
  try {
    thread ??= startThread();
    const { port1, port2 } = new MessageChannel();
    chain = new ThreadChain(port1);
    thread.postMessage({ ...job, port: port2 } satisfies ChainJob, [port2]);
    await chain.open();
    return chain;
  } catch (error) {
    if (chain === undefined || chain.isGone) {
      thread = "none";
      return undefined;
    }
    // If there is no chain, closing it fails, and neither thread keeps any of it.
    await chain.close(false).catch(() => {});
    throw error;
  }
}

function startThread(): Worker {
  const entry = import.meta.resolve("#serve-chains");
  const execArgv = entry.endsWith(".ts") ? ["--conditions=@agentprint/source"] : [];
  // The worker does not get preloaded modules, which would be loaded twice, or the process's streams, which block
  // direct writers until they are used.
  const worker = new Worker(new URL(entry), {
    name: WRITES,
    workerData: WRITES,
    execArgv,
    stdout: true,
    stderr: true,
  });
  worker.unref();
  // Each chain notices by itself that its thread has ended.
  worker.on("error", () => {});
  worker.once("exit", () => {
    if (thread === worker) thread = undefined;
  });
  return worker;
}
