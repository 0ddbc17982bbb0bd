import { mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { GuardEvent } from "@agentprint/guard";
import {
  createKeyFolder,
  createRecorder,
  type EventInput,
  loadKeyFile,
  type Recorder,
  RecorderError,
} from "@agentprint/recorder";
import { createNoteSigner } from "@agentprint/trail/checkpoint";
import type { Context } from "../context.ts";
import { CliError, reasonOf } from "../errors.ts";
import { stateFolder } from "../state-folder.ts";
import { printNotices } from "../terminal/notices.ts";
import { isStoreUrl, readText, refuseOtherUrls, storeIn } from "../trail/source.ts";
import type { GuardCommandOptions } from "./guard-options.ts";

/** In milliseconds: a call that has to be durable before it goes on is refused after this time. */
const DURABLE_WITHIN = 5000;
/** The same for a call that comes while the store has not written what came before. */
const DURABLE_WITHIN_IF_STUCK = 100;
/** UTF-16 units of one content: encrypted, an event with it still fits into a record. */
const MAX_CONTENT_LENGTH = 2 ** 17;

/**
 * In milliseconds: how long events are gathered behind the calls, and then their records into one write; together the 50 that an event
 * may take. Each timer and each write wakes threads beside the calls: on two processors, with 2 and 5 milliseconds, a call took 1.6
 * times as long as through a byte pipe, and with these 1.2 to 1.4 times.
 */
const GATHERED_FOR = 20;
const WRITTEN_AFTER = 30;
/** Events that are recorded in one stretch, in some 100 microseconds: more would delay the messages that come meanwhile. */
const MAX_GATHERED = 24;

/** Where the events of a guard go. */
export interface Recording {
  readonly onEvent: (event: GuardEvent) => void;
  /** Fulfilled when what was recorded last may go on; absent where nothing has to wait. Rejected where it was lost. */
  readonly takeWait: () => Promise<unknown> | undefined;
  readonly close: () => Promise<void>;
}

const NOTHING: Recording = { onEvent: () => undefined, takeWait: () => undefined, close: async () => undefined };

/**
 * Begins the record of a guard.
 *
 * @throws {@link CliError} `unwritable-output` when the store or the key cannot be used
 */
export async function openRecording(context: Context, options: GuardCommandOptions): Promise<Recording> {
  const { record, recordMode: mode, contentKeys, checkpointTo: to, origin, keyFile } = options;
  if (record === undefined) {
    if (contentKeys === undefined) return NOTHING;
    throw new CliError("usage", "--content-keys needs a record", { expected: "--record [store] beside it" });
  }
  const checkpoint = await checkpointTarget(context, { to, origin, keyFile });
  const onError = ({ message }: Error): void => printNotices(context, [`the record: ${message}`]);
  let recorder: Recorder;
  try {
    recorder = await createRecorder({
      store: storeOf(context, record),
      key: await recordKey(context, options),
      agentId: "agentprint guard",
      mode,
      ...(mode !== "before" && { groupMs: WRITTEN_AFTER }),
      ...(contentKeys !== undefined && { encrypt: createKeyFolder(context.pathOf(contentKeys)) }),
      ...(checkpoint && { checkpointTo: checkpoint }),
      onError,
    });
  } catch (error) {
    if (!(error instanceof RecorderError)) throw error;
    throw new CliError("unwritable-output", `nothing can be recorded: ${error.message}`, {
      where: "--record",
      cause: error,
    });
  }
  let isClosed = false;
  let isStuck = false;
  let wait: Promise<unknown> | undefined;
  let later: GuardEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  const recordedEvent = (event: GuardEvent): EventInput =>
    contentKeys === undefined ? eventInput(event) : { ...eventInput(event), ...contentsOf(event) };
  const recordLater = (): void => {
    const events = later;
    later = [];
    clearTimeout(timer);
    timer = undefined;
    for (const event of events) {
      try {
        recorder.record(recordedEvent(event));
      } catch (error) {
        onError(error as Error);
        recorder.record({ kind: "fault", reason: "event-not-recorded" });
      }
    }
  };
  return {
    onEvent: (event) => {
      if (mode !== "before" && !isClosed) {
        // What the event is about goes on first.
        later.push(event);
        if (later.length === MAX_GATHERED) setImmediate(recordLater);
        else timer ??= setTimeout(recordLater, GATHERED_FOR);
        return;
      }
      const input = recordedEvent(event);
      const { ready } = recorder.record(input);
      if (input.kind !== "call") return;
      void ready.then(
        () => (isStuck = false),
        () => undefined,
      );
      const isDurable = inTime(ready, isStuck ? DURABLE_WITHIN_IF_STUCK : DURABLE_WITHIN).catch((error: unknown) => {
        isStuck = true;
        // If the store writes again, it has both: the call that was let through, and that it did not happen.
        if (!isClosed)
          recorder.record({ ...input, kind: "refused", outcome: "refused", reason: "not recorded in time" });
        throw error;
      });
      wait = wait === undefined ? isDurable : Promise.all([wait, isDurable]);
      // Whoever does not wait for it is not ended by it.
      wait.catch(() => undefined);
    },
    takeWait: () => {
      const taken = wait;
      wait = undefined;
      return taken;
    },
    close: () => {
      recordLater();
      isClosed = true;
      return recorder.close().catch(onError);
    },
  };
}

/** @throws {@link Error} when a promise is not settled in time */
async function inTime(promise: Promise<void>, milliseconds: number): Promise<void> {
  const late = new AbortController();
  const waited = sleep(milliseconds, undefined, { signal: late.signal }).then(() => {
    throw new Error(`not written within ${milliseconds} ms`);
  });
  try {
    await Promise.race([promise, waited]);
  } finally {
    late.abort();
    waited.catch(() => undefined);
  }
}

/** The folder or the URL of a record; `true` stands for the folder of this user. */
export function storeOf(context: Context, record: string | true): string {
  if (record === true) return join(stateFolder(context), "trail");
  refuseOtherUrls(record);
  return isStoreUrl(record) ? storeIn(context, record) : context.pathOf(record);
}

/**
 * The secret by which readers know what the guard wrote. It is made where there is none.
 *
 * @throws {@link CliError} `unreadable-input` when it can be neither read nor made
 */
export async function recordKey(
  context: Context,
  { recordKey: given }: Pick<GuardCommandOptions, "recordKey">,
): Promise<Uint8Array> {
  const file = given ?? join(stateFolder(context), "recorder.key");
  const path = context.pathOf(file);
  try {
    await mkdir(dirname(resolve(path)), { recursive: true, mode: 0o700 });
    return await loadKeyFile(path);
  } catch (cause) {
    throw new CliError("unreadable-input", `nothing can be sealed with the key in ${file}: ${reasonOf(cause)}`, {
      where: file,
      expected: "a file of a key, or a folder in which it can be made",
      cause,
    });
  }
}

async function checkpointTarget(
  context: Context,
  { to, origin, keyFile }: { to: string | undefined; origin: string | undefined; keyFile: string | undefined },
) {
  if (to === undefined) return undefined;
  if (origin === undefined || keyFile === undefined) {
    throw new CliError("usage", "--checkpoint-to needs the name of the log and a key", {
      expected: "--origin <name> and --key-file <file> beside it",
      fix: "make a key: agentprint trail keygen <name> <file>",
    });
  }
  const signer = createNoteSigner((await readText(context, keyFile)).trim());
  if (to.includes("://")) return { origin, signer, to };
  const folder = context.pathOf(to);
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw new CliError("unwritable-output", `no checkpoint can be sent to ${to}: ${reasonOf(error)}`, { cause: error });
  });
  return { origin, signer, to: folder };
}

/** An event of a guard as a recorder takes it: a member that is `undefined` is none. */
function eventInput(event: GuardEvent): EventInput {
  const { server, from, method, tool, outcome, decision, findings, reason, correlation: call } = event;
  const digests = digestsOf(event);
  const members = {
    kind: kindOf(event),
    server,
    from,
    method,
    tool,
    outcome,
    decision,
    findings,
    reason,
    call,
    digests,
  };
  if (event.kind === "request") members.method ??= "unknown";
  if (event.kind === "fault") members.reason ??= "unknown";
  return members as EventInput;
}

function kindOf({ kind, outcome }: GuardEvent): EventInput["kind"] {
  if (kind === "asked") return outcome === "waiting" ? "asked" : "answered";
  // What is refused never happens: nobody waits for its result.
  return kind === "call" && outcome === "refused" ? "refused" : kind;
}

function digestsOf({ digests }: GuardEvent): Record<string, string> {
  const { arguments: given, lock, result, tool } = digests;
  const known: Record<string, string> = {};
  if (given !== undefined) known["arguments"] = given;
  known["lock"] = lock;
  if (result !== undefined) known["result"] = result;
  if (tool !== undefined) known["tool"] = tool;
  return known;
}

/** What was said, under its names in OpenTelemetry; what is too long is left out. */
function contentsOf({ contents }: GuardEvent): { attributes?: Record<string, string> } {
  const attributes: Record<string, string> = {};
  for (const [name, text] of [
    ["gen_ai.tool.call.arguments", contents.arguments],
    ["gen_ai.tool.call.result", contents.result],
  ] as const) {
    if (text !== undefined && text.length <= MAX_CONTENT_LENGTH) attributes[name] = text;
  }
  return Object.keys(attributes).length === 0 ? {} : { attributes };
}
