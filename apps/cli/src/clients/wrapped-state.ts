import { createHash } from "node:crypto";
import { readdir, rm, rmdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseJson } from "@agentprint/canonical-json";
import { isObject } from "@agentprint/canonical-json/json-value";
import type { ConfigPath, RecognizeGuard } from "@agentprint/client-configs";
import { formatJson } from "../files/format-json.ts";
import { readIfPresent } from "../files/planned-file.ts";
import { followLinks, replaceFile } from "../files/replace-file.ts";
import { makePrivateFolder, stateFolder, wrappedFolder } from "../files/state-folder.ts";
import { updateFile } from "../files/update-file.ts";
import { lockPathOf } from "../lock/lock-path.ts";
import type { Context } from "../run/context.ts";
import { CliError, isMissing } from "../run/errors.ts";
import { recognizeGuardOf } from "./recognize-guard.ts";

/** A configuration with entries in front of which `wrap` put the guard. */
export interface WrappedConfig {
  /** The absolute path of the configuration, with all links resolved. */
  readonly config: string;
  readonly entries: readonly WrappedEntry[];
}

/** The name of an entry in its configuration. */
export interface EntryName {
  readonly name: string;
  /** The member names that lead to the server entries. */
  readonly member: ConfigPath;
}

/** An entry that has to start the guard until `unwrap` removes it. */
export interface WrappedEntry extends EntryName {
  /** The name of the server in the lock. */
  readonly server: string;
  /** The absolute path of the lock, with all links resolved. */
  readonly lock: string;
  /** `host:port` of a guard that answers over HTTP. */
  readonly at?: string;
}

const RECORD = "entries.json";
const BACKUP = "before";

async function folderOf(
  context: Pick<Context, "env" | "pathOf">,
  path: string,
): Promise<[folder: string, config: string]> {
  const config = await followLinks(resolve(context.pathOf(path)));
  return [join(wrappedFolder(context), createHash("sha256").update(config).digest("hex")), config];
}

/**
 * Keeps a copy of a configuration that only the user can read, with no more permissions than the configuration has.
 *
 * @returns the path of the copy
 * @throws {@link CliError} `unwritable-output` when the copy cannot be written
 */
export async function keepBackup(context: Context, path: string, text: string): Promise<string> {
  const [folder, config] = await folderOf(context, path);
  await makeFolders(context, folder);
  const { mode } = await stat(config);
  const backup = join(folder, BACKUP);
  await replaceFile(context, backup, text, mode & 0o600);
  return backup;
}

/** Removes the copy of a restored configuration; returns the path of a copy that differs. */
export async function removeBackup(context: Context, path: string, text: string): Promise<string | undefined> {
  const [folder] = await folderOf(context, path);
  const backup = join(folder, BACKUP);
  const kept = await readIfPresent(context, backup);
  if (kept === text) await rm(backup, { force: true });
  return kept === undefined || kept === text ? undefined : backup;
}

/** Records which entries of a configuration start the guard from now on, and drops all others. */
export async function rememberWrapped(
  context: Context,
  path: string,
  { add, forget }: { readonly add: readonly WrappedEntry[]; readonly forget: readonly EntryName[] },
): Promise<void> {
  const [folder, config] = await folderOf(context, path);
  const record = join(folder, RECORD);
  const gone = new Set([...add, ...forget].map(keyOf));
  if (add.length === 0 && (await readIfPresent(context, record)) === undefined) {
    await rmdir(folder).catch(() => undefined);
    return;
  }
  await makeFolders(context, folder);
  const changed = async (): Promise<string | undefined> => {
    // An unreadable state is replaced.
    const before = await wrappedEntries(context, path).catch(() => []);
    const entries = [...before.filter((entry) => !gone.has(keyOf(entry))), ...add];
    if (entries.length > 0) return formatJson({ wrappedVersion: 1, config, entries });
    await rm(record, { force: true });
    return undefined;
  };
  await updateFile(context, record, changed, 0o600);
  // A folder with a backup or a record stays.
  await rmdir(folder).catch(() => undefined);
}

function keyOf({ member, name }: EntryName): string {
  return JSON.stringify([...member, name]);
}

async function makeFolders(context: Pick<Context, "env">, folder: string): Promise<void> {
  for (const each of [stateFolder(context), wrappedFolder(context), folder]) await makePrivateFolder(each);
}

/** Returns the wrapped entries of a configuration; none if it was not wrapped. */
async function wrappedEntries(context: Context, path: string): Promise<readonly WrappedEntry[]> {
  const [folder, config] = await folderOf(context, path);
  const read = await readRecord(context, join(folder, RECORD));
  return read?.config === config ? read.entries : [];
}

/**
 * Returns every configuration that was wrapped on this machine for a lock.
 *
 * @throws {@link CliError} `unreadable-input` when the remembered state cannot be read
 */
export async function wrappedFor(context: Context, lock: string): Promise<WrappedConfig[]> {
  const folder = wrappedFolder(context);
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw new CliError("unreadable-input", `cannot read ${folder}`, {
      expected: "a folder that can be read",
      cause: error,
    });
  });
  if (names.length === 0) return [];
  const path = await lockPathOf(context, lock);
  const records = await Promise.all(names.sort().map((name) => readRecord(context, join(folder, name, RECORD))));
  return records.flatMap((read) => {
    const entries = (read?.entries ?? []).filter((entry) => entry.lock === path);
    return read === undefined || entries.length === 0 ? [] : [{ config: read.config, entries }];
  });
}

/**
 * Returns a function that decides whether an entry starts the guard of a lock. If the remembered state cannot be read,
 * no address on another machine is trusted.
 *
 * @param isAnyLock Whether the guard may use another lock
 * @param http The address of an additional HTTP guard, as `host:port`, in addition to those that `wrap` has written
 */
export async function recognizeGuard(
  context: Context,
  lock: string,
  http: readonly string[] = [],
  isAnyLock = false,
): Promise<RecognizeGuard> {
  const wrapped = await wrappedFor(context, lock).catch(() => []);
  const entries = wrapped.flatMap((config) => config.entries);
  return recognizeGuardOf(context, lock, new Set([...entries.flatMap(({ at }) => at ?? []), ...http]), isAnyLock);
}

async function readRecord(context: Context, file: string): Promise<WrappedConfig | undefined> {
  const text = await readIfPresent(context, file);
  if (text === undefined) return undefined;
  try {
    const record: unknown = parseJson(text);
    if (isRecord(record)) return record;
    throw new TypeError("a member is missing, or has the wrong type");
  } catch (error) {
    throw new CliError("unreadable-input", `${file} does not say which servers are behind the guard`, {
      expected: "the file as agentprint wrap wrote it",
      fix: "run agentprint unwrap and agentprint wrap again",
      cause: error,
    });
  }
}

function isRecord(value: unknown): value is WrappedConfig {
  if (!isObject(value) || value["wrappedVersion"] !== 1) return false;
  const { config, entries } = value;
  return isText(config) && Array.isArray(entries) && entries.every(isEntry);
}

function isEntry(value: unknown): value is WrappedEntry {
  if (!isObject(value)) return false;
  const { name, member, server, lock, at = "" } = value;
  const isPath = Array.isArray(member) && member.every((step) => isText(step) || Number.isFinite(step));
  return isPath && [name, server, lock, at].every(isText);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
