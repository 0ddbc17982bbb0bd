import { MessageChannel, Worker, workerData } from "node:worker_threads";
import type { EventKey } from "../envelope/event-keys.ts";
import type { Chain, ChainOptions } from "./chain.ts";
import { openSealedChain } from "./sealed-chain.ts";
import { ThreadChain } from "./thread-chain.ts";
import type { ChainJob } from "./thread-protocol.ts";

/** The worker data by which a thread knows that it is the writing thread. */
const WRITES = "agentprint recorder";

/** One thread writes the chains of all sessions of a process. `none` if no thread can be had. */
let thread: Worker | "none" | undefined;

/**
 * Opens the chain of a session. its own thread seals and writes it where what seals is a secret, which can be given to
 * a thread, and where threads can be had; else this thread does.
 *
 * @throws {@link RecorderError} `session-exists` when the store has a chain of this session.
 */
export async function openChain(options: ChainOptions, key: EventKey, secret: Uint8Array | undefined): Promise<Chain> {
  // A module that a user loads in each thread may record, too: the writing thread starts no other one.
  const isHere = secret === undefined || workerData === WRITES;
  return (isHere ? undefined : await openInThread({ options, secret })) ?? openSealedChain(options, key);
}

/**
 * The chain; `undefined` if no thread can be started, or where it ends before it has a chain: then it cannot load what
 * it runs.
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
    // There is none, which is the answer to this, too; then nothing is left of it in either thread.
    await chain.close(false).catch(() => {});
    throw error;
  }
}

function startThread(): Worker {
  const entry = import.meta.resolve("#serve-chains");
  const execArgv = entry.endsWith(".ts") ? ["--conditions=@agentprint/source"] : [];
  // Not passed on: modules that a user loads before everything else, which would be loaded twice, and the streams of the process,
  // which block for whoever writes to them directly until they are used.
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
