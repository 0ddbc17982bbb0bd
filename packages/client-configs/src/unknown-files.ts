import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** The maximum number of entries that are examined in one folder. */
const MAX_ENTRIES = 5000;
/** The maximum number of entries in all folders together. */
const MAX_IN_ALL = 100_000;

/**
 * The files in a project or a home folder that are named like a configuration with servers, and the folders that could
 * not be searched.
 */
export interface NamedFiles {
  /** Absolute paths, sorted. */
  readonly files: readonly string[];
  readonly unread: readonly { readonly path: string; readonly why: string; readonly code?: string | undefined }[];
}

/**
 * Finds the files in a project or a home folder that are named like configurations with servers: `mcp*.json`,
 * `.*\/mcp.json`, `.*\/mcp/*.json` and `.*\/settings*.json`, with `.jsonc` for `.json`, too. Links to folders are not
 * followed.
 */
export async function filesNamedAsConfigs(root: string): Promise<NamedFiles> {
  const files: string[] = [];
  const unread: { path: string; why: string; code?: string | undefined }[] = [];
  let left = MAX_IN_ALL;
  const look = async (folder: string, visit: (entry: Dirent, path: string) => Promise<void> | void): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      unread.push({ path: folder, why: error.code ?? error.message, code: error.code });
      return [];
    });
    if (entries.length > MAX_ENTRIES) unread.push({ path: folder, why: `has more than ${MAX_ENTRIES} entries` });
    const looked = entries.slice(0, Math.min(MAX_ENTRIES, left)).sort((a, b) => (a.name < b.name ? -1 : 1));
    if (entries.length > left) unread.push({ path: folder, why: `there are more than ${MAX_IN_ALL} entries in total` });
    left -= looked.length;
    for (const entry of looked) await visit(entry, join(folder, entry.name));
  };
  const take = (name: RegExp) => (entry: Dirent, path: string) => {
    if (!entry.isDirectory() && name.test(entry.name)) files.push(path);
  };
  await look(root, async (entry, path) => {
    take(/^mcp.*\.jsonc?$/i)(entry, path);
    if (!entry.isDirectory() || !entry.name.startsWith(".") || entry.name === ".git") return;
    await look(path, async (inner, below) => {
      take(/^(?:mcp|settings.*)\.jsonc?$/i)(inner, below);
      if (inner.isDirectory() && inner.name.toLowerCase() === "mcp") await look(below, take(/\.jsonc?$/i));
    });
  });
  return { files, unread };
}
