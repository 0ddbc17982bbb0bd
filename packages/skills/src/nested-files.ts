import { opendir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { SkillsError, unreadable } from "./errors.ts";
import { type Budget, type IgnoreFile, isIgnored, readIgnoreRules } from "./ignore-rules.ts";
import {
  MAX_FOLDERS,
  MAX_IGNORE_BYTES,
  MAX_IGNORE_STEPS,
  MAX_LEVELS,
  MAX_LOOKED_AT,
  MAX_NESTED_FILES,
} from "./limits.ts";
import { INSTRUCTION_FOLDERS, NESTED_FILES, NESTED_FOLDERS, SKILL_FOLDERS } from "./places.ts";
import { isThere, readInside } from "./read-inside.ts";

/** The instruction files below the folder of a project, and the folders all of whose files are instructions. */
export interface Nested {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

const FILES: ReadonlySet<string> = new Set(NESTED_FILES.map(({ path }) => path));
/** The folders of Git and of installed packages: the project's instructions are never there. */
const LEFT_OUT: ReadonlySet<string> = new Set([".git", "node_modules"]);
const READ_ALREADY: ReadonlySet<string> = new Set([...SKILL_FOLDERS, ...INSTRUCTION_FOLDERS].map(({ path }) => path));

/** Returns whether a path leads to an instruction file below a project's folder. */
export function isNestedFile(path: string): boolean {
  return FILES.has(path.slice(path.lastIndexOf("/") + 1));
}

interface OpenFolder {
  /** The path from the folder of the project; empty for that folder. */
  readonly path: string;
  readonly level: number;
  readonly ignore: readonly IgnoreFile[];
}

/**
 * Finds the instruction files in a project's subfolders, except those that its `.gitignore` files ignore, and without
 * following links to folders.
 *
 * @param root The real path of the folder of the project.
 * @throws {@link SkillsError} `too-large` beyond the limits of this package, `unreadable` when a folder cannot be read.
 */
export async function findNested(root: string): Promise<Nested> {
  const files: string[] = [];
  const folders: string[] = [];
  const budget: Budget = { steps: MAX_IGNORE_STEPS };
  const open: OpenFolder[] = [{ path: "", level: 0, ignore: await ignoreAbove(root) }];
  let [entries, opened] = [0, 0];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, level } = next;
    if (++opened > MAX_FOLDERS) throw tooMuch("", `has more than ${MAX_FOLDERS} folders that are not ignored`);
    if (level > MAX_LEVELS) throw tooMuch(path, `is more than ${MAX_LEVELS} folders deep`);
    const below = await entriesIn(join(root, path), path, MAX_LOOKED_AT - entries);
    entries += below.count;
    const ignore = below.hasIgnore ? [...next.ignore, await ignoreIn(root, path)] : next.ignore;
    const isLeftOut = (each: string, isFolder: boolean): boolean => {
      const ignored = isIgnored(ignore, each, isFolder, budget);
      if (budget.steps < 0) throw tooMuch("", "has .gitignore files with rules that take too much work");
      return ignored;
    };
    for (const name of below.files) {
      const file = path === "" ? name : `${path}/${name}`;
      if (!isLeftOut(file, false)) files.push(file);
    }
    for (const name of below.folders) {
      const folder = path === "" ? name : `${path}/${name}`;
      if (READ_ALREADY.has(folder) || isLeftOut(folder, true)) continue;
      if (NESTED_FOLDERS.some((each) => folder.endsWith(`/${each.path}`))) folders.push(folder);
      else open.push({ path: folder, level: level + 1, ignore });
    }
    if (files.length > MAX_NESTED_FILES) throw tooMuch("", `has more than ${MAX_NESTED_FILES} instruction files`);
  }
  return { files, folders };
}

interface Entries {
  readonly count: number;
  readonly hasIgnore: boolean;
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

async function entriesIn(folder: string, shown: string, most: number): Promise<Entries> {
  const [files, folders] = [[] as string[], [] as string[]];
  let [count, hasIgnore] = [0, false];
  try {
    for await (const entry of await opendir(folder)) {
      if (++count > most) throw tooMuch("", `has more than ${MAX_LOOKED_AT} files and folders that are not ignored`);
      const { name } = entry;
      // Git follows no link named .gitignore.
      if (name === ".gitignore" && entry.isFile()) hasIgnore = true;
      else if (entry.isDirectory()) {
        if (!LEFT_OUT.has(name)) folders.push(name);
      } else if (FILES.has(name)) files.push(name);
    }
  } catch (error) {
    throw unreadable(shown, error);
  }
  return { count, hasIgnore, files, folders };
}

async function ignoreIn(root: string, path: string): Promise<IgnoreFile> {
  const shown = path === "" ? ".gitignore" : `${path}/.gitignore`;
  const rules = readIgnoreRules(await readInside(root, join(root, shown), shown, MAX_IGNORE_BYTES));
  return { rules, folder: path === "" ? "" : `${path}/`, above: "" };
}

/** Returns the rules of the folders from the repository's down to the project's, because Git applies them, too. */
async function ignoreAbove(root: string): Promise<IgnoreFile[]> {
  const above: string[] = [];
  for (let folder = root; !(await isThere(join(folder, ".git"), folder)); ) {
    const parent = dirname(folder);
    if (parent === folder) return [];
    above.unshift(parent);
    folder = parent;
  }
  const found: IgnoreFile[] = [];
  for (const folder of above) {
    const file = join(folder, ".gitignore");
    if (!(await isThere(file, file))) continue;
    const rules = readIgnoreRules(await readInside(folder, file, file, MAX_IGNORE_BYTES));
    found.push({ rules, folder: "", above: `${relative(folder, root).split(sep).join("/")}/` });
  }
  return found;
}

function tooMuch(path: string, message: string): SkillsError {
  return new SkillsError("too-large", path, message);
}
