import { dirname, join, resolve } from "node:path";
import { GuardRecording, type Recording, WRITTEN_AFTER } from "@agentprint/guard-proxy/recording";
import { createKeyFolder, createRecorder, loadKeyFile, type Recorder, RecorderError } from "@agentprint/recorder";
import { makeFolder } from "@agentprint/recorder/folder";
import { createNoteSigner } from "@agentprint/trail/checkpoint";
import { stateFolder } from "../files/state-folder.ts";
import type { Context } from "../run/context.ts";
import { CliError, reasonOf } from "../run/errors.ts";
import { printNotices } from "../terminal/notices.ts";
import { isStoreUrl, readText, refuseOtherUrls, storeIn } from "../trail/source.ts";
import type { GuardCommandOptions } from "./guard-options.ts";
import { contentsOf, eventInput } from "./recorded-event.ts";

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
    throw new CliError("usage", "--content-keys needs a record", { expected: "--record [store] as well" });
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
  return new GuardRecording({
    recorder,
    isBefore: mode === "before",
    inputOf: (event) =>
      contentKeys === undefined ? eventInput(event) : { ...eventInput(event), ...contentsOf(event) },
    onError,
  });
}

/** Returns the folder or the URL of a record; `true` means the folder of this user. */
export function storeOf(context: Context, record: string | true): string {
  if (record === true) return join(stateFolder(context), "trail");
  refuseOtherUrls(record);
  return isStoreUrl(record) ? storeIn(context, record) : context.pathOf(record);
}

/**
 * Returns the secret by which readers recognize the guard's records, and creates it if it does not exist.
 *
 * @throws {@link CliError} `unreadable-input` when it can be neither read nor created
 */
export async function recordKey(
  context: Context,
  { recordKey: given }: Pick<GuardCommandOptions, "recordKey">,
): Promise<Uint8Array> {
  const file = given ?? join(stateFolder(context), "recorder.key");
  const path = context.pathOf(file);
  try {
    await makeFolder(dirname(resolve(path)), 0o700);
    return await loadKeyFile(path);
  } catch (cause) {
    throw new CliError("unreadable-input", `nothing can be sealed with the key in ${file}: ${reasonOf(cause)}`, {
      where: file,
      expected: "a key file, or a folder in which one can be created",
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
      expected: "--origin <name> and --key-file <file> as well",
      fix: "make a key: agentprint trail keygen <name> <file>",
    });
  }
  const signer = createNoteSigner((await readText(context, keyFile)).trim());
  if (to.includes("://")) return { origin, signer, to };
  const folder = context.pathOf(to);
  await makeFolder(folder).catch((error: unknown) => {
    throw new CliError("unwritable-output", `no checkpoint can be sent to ${to}: ${reasonOf(error)}`, { cause: error });
  });
  return { origin, signer, to: folder };
}
