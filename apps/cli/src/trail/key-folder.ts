import { stat } from "node:fs/promises";
import type { ContentKeys } from "@agentprint/recorder/events";
import type { Context } from "../run/context.ts";
import { CliError, reasonOf } from "../run/errors.ts";

/**
 * Opens the keys of encrypted contents in a folder.
 *
 * @throws {@link CliError} `unreadable-input` if there is no such folder, because each content would seem to be erased
 */
export async function openKeyFolder(context: Pick<Context, "pathOf">, folder: string): Promise<ContentKeys> {
  const path = context.pathOf(folder);
  const found = await stat(path).catch((cause: unknown) => refuse(folder, reasonOf(cause), cause));
  if (!found.isDirectory()) refuse(folder, "it is not a folder");
  const { createKeyFolder } = await import("@agentprint/recorder");
  return createKeyFolder(path);
}

function refuse(folder: string, reason: string, cause?: unknown): never {
  throw new CliError("unreadable-input", `cannot read the keys in ${folder}: ${reason}`, {
    expected: "the folder in which a recorder keeps the keys of contents",
    cause,
  });
}
