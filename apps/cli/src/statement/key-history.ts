import { extendHistory, type KeyChange, keyHistoryPlace, type StatementSigner } from "@agentprint/statement";
import type { Command } from "commander";
import { readIfPresent } from "../files/planned-file.ts";
import { updateFile } from "../files/update-file.ts";
import type { Context } from "../run/context.ts";
import { readable } from "./read-statement.ts";

/** The options of a command that signs something about a key. */
export interface HistoryOptions {
  readonly key: string;
  readonly statement: string;
}

/** @param key The description of the key, for the help */
export function addHistoryOptions(command: Command, key: string): Command {
  return command
    .requiredOption("--key <file>", key)
    .option(
      "--statement <file>",
      "the statement of your release; the key history is next to it",
      "agentprint.statement.json",
    );
}

/**
 * Adds a statement about a key to the key history next to an author's statement.
 *
 * @returns the path of the history
 * @throws {@link CliError} `unreadable-input` if the history is not valid, or the key may not sign this;
 * `unwritable-output`
 */
export async function writeHistory(
  context: Context,
  { statement }: HistoryOptions,
  signer: StatementSigner,
  change: KeyChange,
): Promise<string> {
  const file = keyHistoryPlace(statement);
  const fix = "sign with the valid key, or get the complete history again";
  await updateFile(context, file, async (target) => {
    const history = (await readIfPresent(context, target)) ?? "";
    return readable(file, fix, () => extendHistory(history, change, signer));
  });
  return file;
}
