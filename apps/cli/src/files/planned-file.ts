import { dirname } from "node:path";
import { makeFolder } from "@agentprint/recorder/folder";
import type { Context } from "../run/context.ts";
import { CliError, isMissing, reasonOf } from "../run/errors.ts";
import { readRegularFile } from "./read-input.ts";
import { updateFile, writtenMeanwhile } from "./update-file.ts";

/** The maximum size of a file, which is a configuration, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** A file that `init` writes. */
export interface PlannedFile {
  /** The path, relative to the folder of the context. */
  readonly path: string;
  readonly text: string;
  /** The text from which the new text was made; absent if the file does not exist. */
  readonly from?: string;
  /**
   * The lines that the displayed change shows instead of the text's own, because a client's configuration contains
   * secrets.
   */
  readonly shown?: readonly string[];
}

/** A planned file compared with the existing one. `keep`: the existing text differs, and may not be replaced. */
export interface FilePlan extends PlannedFile {
  readonly action: "write" | "nothing" | "keep";
  readonly before: string | undefined;
}

/**
 * Compares a planned file with the existing one.
 *
 * @throws {@link CliError} `unreadable-input`, `too-large` when the existing file cannot be read; `unwritable-output`
 * when its text has changed since the new text was planned
 */
export async function planFile(context: Context, file: PlannedFile, mayReplace: boolean): Promise<FilePlan> {
  const before = await readIfPresent(context, file.path);
  if (file.from !== undefined && before !== file.from) {
    throw new CliError("unwritable-output", `another program changed ${file.path} after it was read`, {
      fix: "run the command again",
    });
  }
  if (before === file.text) return { ...file, before, action: "nothing" };
  return { ...file, before, action: before === undefined || mayReplace ? "write" : "keep" };
}

/**
 * Reads the text of a file; returns `undefined` if it does not exist.
 *
 * @throws {@link CliError} `unreadable-input`, `too-large` when the file cannot be read
 */
export async function readIfPresent(context: Pick<Context, "pathOf">, path: string): Promise<string | undefined> {
  const bytes = await readRegularFile(context, path, MAX_BYTES).catch((error: unknown) => {
    if (error instanceof CliError && isMissing(error.cause)) return undefined;
    throw error;
  });
  return bytes && new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/**
 * Writes a file, with the folders that it needs, if nobody has changed it since it was compared.
 *
 * @throws {@link CliError} `unwritable-output` when the file cannot be written; `lock-busy` when another program wrote it meanwhile
 */
export async function writePlannedFile(context: Context, { path, text, before }: FilePlan): Promise<void> {
  try {
    await makeFolder(dirname(context.pathOf(path)));
  } catch (error) {
    throw new CliError("unwritable-output", `cannot make the folder of ${path}: ${reasonOf(error)}`, {
      expected: "a folder that can be written",
      cause: error,
    });
  }
  await updateFile(context, path, async (target) => {
    if ((await readIfPresent(context, target)) !== before) throw writtenMeanwhile(path);
    return text;
  });
}

/** Returns the lines that a text loses and gains, without the common lines at the beginning and the end. */
export function changedLines(before: string | undefined, after: string): string[] {
  const [old, now] = [before === undefined ? [] : linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const removed = old.slice(start, old.length - end).map((line) => `-${line}`);
  return [...removed, ...now.slice(start, now.length - end).map((line) => `+${line}`)];
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}
