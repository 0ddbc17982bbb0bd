import type { Chain } from "../chain/chain.ts";
import { openChain } from "../chain/open-chain.ts";
import { checkArgument } from "../check-argument.ts";
import { createContentCipher } from "../encrypt/encrypt-content.ts";
import { RecorderError } from "../errors.ts";
import { Recorder } from "./recorder.ts";
import type { RecorderOptions } from "./recorder-options.ts";
import { type ResolvedOptions, resolveOptions } from "./resolve-options.ts";

/**
 * Begins a session: opens the store, records the start, and records a gap for each earlier session that has no end.
 * Once the promise is fulfilled, all of this is durable.
 *
 * @throws {@link RecorderError} `invalid-option` or `invalid-key`; `session-exists` if the store has a chain of this
 * session; `unavailable` if the store cannot be opened or written.
 *
 * @example
 * ```ts
 * import { randomBytes } from "node:crypto";
 * import { createRecorder } from "@agentprint/recorder";
 *
 * const recorder = await createRecorder({ store: "trails", key: randomBytes(32), agentId: "planner" });
 * await recorder.record({ kind: "call", call: "c1", tool: "read_file" }).ready;
 * await recorder.record({ kind: "result", call: "c1", outcome: "ok" }).durable();
 * await recorder.close();
 * ```
 */
export async function createRecorder(options: RecorderOptions): Promise<Recorder> {
  checkArgument("options", options, "object");
  const resolved = resolveOptions(options);
  try {
    return await begin(resolved, await openResolved(resolved));
  } catch (error) {
    throw error instanceof RecorderError ? error : unavailable("the store cannot be used", error);
  }
}

async function begin(options: ResolvedOptions, chain: Chain): Promise<Recorder> {
  try {
    const unended = await chain.findUnended();
    const contentKey = await options.encrypt?.create(options.sessionId);
    const recorder = new Recorder(options, chain, unended, contentKey && createContentCipher(contentKey));
    await recorder.begin();
    // If it cannot be noted that these sessions were reported, they are reported again at the next start.
    await chain.settle(unended).catch((error: unknown) => {
      options.onError(unavailable("sessions without an end will be reported again", error));
    });
    return recorder;
  } catch (error) {
    await chain.close(false).catch(() => {});
    throw error;
  }
}

function unavailable(what: string, cause: unknown): RecorderError {
  return new RecorderError("unavailable", `${what}: ${(cause as Error).message}`, { cause });
}

function openResolved({ store, sessionId, agentId, checkpointTo, key, secret }: ResolvedOptions): Promise<Chain> {
  return openChain({ store, sessionId, agentId, withTree: checkpointTo !== undefined }, key, secret);
}
