import { constants, type Dirent } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";

/** A file of a tree: `path` is relative to its root and `/`-separated. */
export interface TreeFile {
  readonly path: string;
  readonly kind: "file" | "symlink" | "special";
}

/** A file or folder that the walk leaves out; a folder's path ends with `/`. */
export interface LeftOut {
  readonly path: string;
  /** The .gitignore that decided; `undefined` for a `.git` that none names. */
  readonly by: string | undefined;
}

/** The contents of a folder tree. */
export interface WalkedTree {
  /** The files, in code-unit order of their paths. */
  readonly files: readonly TreeFile[];
  /** Why a folder (its path ends with `/`) or a .gitignore could not be read. */
  readonly failures: ReadonlyMap<string, string>;
  /** The omitted paths, in code-unit order; the contents of an omitted folder are not listed. */
  readonly leftOut: readonly LeftOut[];
}

interface IgnoreRules {
  /** The path of the .gitignore. */
  readonly file: string;
  /** The folder of the .gitignore as bytes, with `/` at its end; `""` is the root. */
  readonly folder: string;
  readonly rules: Ignore;
}

/**
 * Lists every file under a folder except `.git` and the paths that .gitignore files name. As in git, a .gitignore must
 * be a regular file to have an effect.
 */
export async function walkTree(root: string, onFolder: (folder: string) => void): Promise<WalkedTree> {
  const files: TreeFile[] = [];
  const leftOut: LeftOut[] = [];
  const failures = new Map<string, string>();
  const open: { folder: string; inherited: readonly IgnoreRules[] }[] = [{ folder: "", inherited: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { folder } = next;
    onFolder(folder);
    const entries = await orFailure(failures, folder, readdir(join(root, folder), { withFileTypes: true }));
    const rules = [...next.inherited, ...(await readGitignore(root, folder, entries ?? [], failures))];
    for (const entry of entries ?? []) {
      const path = `${folder}${entry.name}`;
      const isFolder = entry.isDirectory();
      const listed = isFolder ? `${path}/` : path;
      const tested = asBytes(listed);
      const by = ignoringFile(tested, rules);
      if (failures.has(path)) continue;
      if (entry.name === ".git" || by !== undefined) leftOut.push({ path: listed, by });
      else if (isFolder) open.push({ folder: `${path}/`, inherited: rules.map((own) => enter(own, tested)) });
      else files.push({ path, kind: entry.isSymbolicLink() ? "symlink" : entry.isFile() ? "file" : "special" });
    }
  }
  const byPath = (a: { readonly path: string }, b: { readonly path: string }): number => (a.path < b.path ? -1 : 1);
  return { files: files.sort(byPath), failures, leftOut: leftOut.sort(byPath) };
}

/** Returns the read value, or records a failure and returns `undefined`; throws if the root cannot be read. */
async function orFailure<Value>(
  failures: Map<string, string>,
  path: string,
  read: Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await read;
  } catch (error) {
    if (path === "") throw error;
    failures.set(path, error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** Neither follows a link nor waits for a pipe that has replaced a regular file since it was listed. */
const READ_ONLY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

async function readGitignore(
  root: string,
  folder: string,
  entries: readonly Dirent[],
  failures: Map<string, string>,
): Promise<IgnoreRules[]> {
  if (!entries.some((entry) => entry.name === ".gitignore" && entry.isFile())) return [];
  const path = `${folder}.gitignore`;
  const bytes = await orFailure(failures, path, readFile(join(root, path), { flag: READ_ONLY }));
  if (bytes === undefined) return [];
  const text = bytes.toString("latin1").replace(BYTE_ORDER_MARK, "");
  return [{ file: path, folder: asBytes(folder), rules: ignore({ ignorecase: false }).add(text) }];
}

const BYTE_ORDER_MARK = /^\u00ef\u00bb\u00bf/;

/**
 * Returns a text with one character for each byte of UTF-8, because git matches bytes, so that `?` does not match "é".
 */
function asBytes(path: string): string {
  return Buffer.from(path).toString("latin1");
}

/** Returns the .gitignore that ignores a path. The innermost one with a matching rule decides. */
function ignoringFile(path: string, rules: readonly IgnoreRules[]): string | undefined {
  let decided: string | undefined;
  for (const { file, folder, rules: own } of rules) {
    const verdict = own.test(path.slice(folder.length));
    if (verdict.ignored) decided = file;
    else if (verdict.unignored) decided = undefined;
  }
  return decided;
}

/**
 * Returns the rules inside a folder that is not ignored. If an inner .gitignore re-included the folder, the outer one
 * must re-include it too, because it would otherwise ignore everything below.
 */
function enter({ file, folder, rules }: IgnoreRules, path: string): IgnoreRules {
  const inside = path.slice(folder.length);
  if (!rules.test(inside).ignored) return { file, folder, rules };
  const takenBack = `!/${inside.replace(/[\\*?[\]]/g, "\\$&")}`;
  return { file, folder, rules: ignore({ ignorecase: false }).add(rules).add({ pattern: takenBack }) };
}
