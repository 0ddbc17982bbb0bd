import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** The most entries of one folder that are looked at. */
const MAX_ENTRIES = 5000;

/** The files of a project that have the name of a configuration with servers, and the folders that could not be looked through. */
export interface NamedFiles {
  /** Absolute, in the order of their paths. */
  readonly files: readonly string[];
  readonly unread: readonly { readonly path: string; readonly why: string }[];
}

/**
 * Finds the files of a project that are named as clients name configurations with servers: `mcp*.json`, `.*\/mcp.json`,
 * `.*\/mcp/*.json` and `.*\/settings*.json`, with `.jsonc` for `.json`, too. No link to a folder is followed.
 */
export async function filesNamedAsConfigs(project: string): Promise<NamedFiles> {
  const files: string[] = [];
  const unread: { path: string; why: string }[] = [];
  const look = async (folder: string, visit: (entry: Dirent, path: string) => Promise<void> | void): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      unread.push({ path: folder, why: error.code ?? error.message });
      return [];
    });
    if (entries.length > MAX_ENTRIES) unread.push({ path: folder, why: `has more than ${MAX_ENTRIES} entries` });
    const looked = entries.slice(0, MAX_ENTRIES).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of looked) await visit(entry, join(folder, entry.name));
  };
  const take = (name: RegExp) => (entry: Dirent, path: string) => {
    if (!entry.isDirectory() && name.test(entry.name)) files.push(path);
  };
  await look(project, async (entry, path) => {
    take(/^mcp.*\.jsonc?$/i)(entry, path);
    if (!entry.isDirectory() || !entry.name.startsWith(".") || entry.name === ".git") return;
    await look(path, async (inner, below) => {
      take(/^(?:mcp|settings.*)\.jsonc?$/i)(inner, below);
      if (inner.isDirectory() && inner.name.toLowerCase() === "mcp") await look(below, take(/\.jsonc?$/i));
    });
  });
  return { files, unread };
}
