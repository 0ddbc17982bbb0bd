import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";

/** A file of a tree: `path` is relative to its root and `/`-separated. */
export interface TreeFile {
  readonly path: string;
  readonly kind: "file" | "symlink" | "special";
}

interface IgnoreRules {
  /** The folder of the .gitignore, with `/` at its end; `""` is the root. */
  readonly folder: string;
  readonly rules: Ignore;
}

/** Every file under a folder in code-unit order of its path, without .git and what .gitignore files name. */
export async function walkTree(root: string, onFolder: (folder: string) => void): Promise<TreeFile[]> {
  const files: TreeFile[] = [];
  const open: { folder: string; inherited: readonly IgnoreRules[] }[] = [{ folder: "", inherited: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { folder, inherited } = next;
    onFolder(folder);
    const rules = await withGitignore(root, folder, inherited);
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}${entry.name}`;
      const isFolder = entry.isDirectory();
      if (entry.name === ".git" || isIgnored(isFolder ? `${path}/` : path, rules)) continue;
      if (isFolder) open.push({ folder: `${path}/`, inherited: rules });
      else files.push({ path, kind: entry.isSymbolicLink() ? "symlink" : entry.isFile() ? "file" : "special" });
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function withGitignore(
  root: string,
  folder: string,
  inherited: readonly IgnoreRules[],
): Promise<readonly IgnoreRules[]> {
  try {
    const text = await readFile(join(root, folder, ".gitignore"), "utf8");
    return [...inherited, { folder, rules: ignore({ ignorecase: false }).add(text) }];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return inherited;
    throw error;
  }
}

/** The innermost .gitignore that says anything about a path decides. */
function isIgnored(path: string, rules: readonly IgnoreRules[]): boolean {
  let ignored = false;
  for (const { folder, rules: own } of rules) {
    const verdict = own.test(path.slice(folder.length));
    if (verdict.ignored) ignored = true;
    else if (verdict.unignored) ignored = false;
  }
  return ignored;
}
