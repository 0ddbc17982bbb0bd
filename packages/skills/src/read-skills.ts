import { lstat, realpath } from "node:fs/promises";
import { basename, join } from "node:path";
import { compareCodeUnits, sha256Hex } from "@agentprint/canonical-json";
import { createTreeManifest } from "@agentprint/content-hash";
import type { LockedInstructions, LockedSkill, LockedSkills } from "@agentprint/mcp-lock";
import { SkillsError, unreadable } from "./errors.ts";
import { readFrontmatter } from "./frontmatter.ts";
import { MAX_ENTRIES, MAX_INSTRUCTION_BYTES, MAX_TEXT_BYTES, SKILL_LEVELS } from "./limits.ts";
import { findNested, isNestedFile } from "./nested-files.ts";
import { INSTRUCTION_FILES, INSTRUCTION_FOLDERS, SKILL_FOLDERS } from "./places.ts";
import { isThere, readInside, realInside } from "./read-inside.ts";
import { entriesOf, readTree, type SkillFile } from "./read-tree.ts";

/** Settings of {@link readSkills}. */
export interface ReadOptions {
  /** Paths of instruction files that are read if they exist, even if they are now ignored. Default: none. */
  readonly pinned?: readonly string[];
}

/**
 * Returns the Agent Skills and the instruction files of a project: each skill with the digest of its folder, of its SKILL.md
 * and of each script, and the tools that it allows. Digests cover the unchanged bytes.
 *
 * @param folder The folder of the project.
 * @throws {@link SkillsError} when a file or folder cannot be read completely, is too large, or contains a link that
 * leaves it.
 *
 * @example
 * ```ts
 * import { readSkills } from "@agentprint/skills";
 *
 * const { folders, instructions } = await readSkills(".");
 * console.log(folders.length, instructions.length);
 * ```
 */
export async function readSkills(folder: string, { pinned = [] }: ReadOptions = {}): Promise<LockedSkills> {
  const root = await realpath(folder).catch((error: unknown) => {
    throw unreadable("", error);
  });
  const folders: LockedSkill[] = [];
  for (const { path } of SKILL_FOLDERS) {
    for (const skill of await skillsBelow(root, path)) folders.push(await readSkill(root, skill));
  }
  const instructions: LockedInstructions[] = [];
  const nested = await findNested(root);
  const files = [...INSTRUCTION_FILES.map(({ path }) => path), ...nested.files, ...pinned.filter(isNestedFile)];
  const containers = [...INSTRUCTION_FOLDERS.map(({ path }) => path), ...nested.folders];
  for (const path of containers) files.push(...(await filesBelow(root, path)));
  let bytes = 0;
  for (const path of new Set(files)) {
    const whole = join(root, path);
    if (!(await isThere(whole, path))) continue;
    const text = await readInside(root, whole, path, MAX_TEXT_BYTES);
    bytes += text.length;
    if (bytes > MAX_INSTRUCTION_BYTES) {
      throw new SkillsError("too-large", path, `is beyond the ${MAX_INSTRUCTION_BYTES} bytes of all instruction files`);
    }
    instructions.push({ path, digest: sha256Hex(text) });
  }
  return { folders: folders.sort(byPath), instructions: instructions.sort(byPath) };
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return compareCodeUnits(a.path, b.path);
}

/** Returns the files below a folder, and links in it; a link to a folder cannot be read as a file. */
async function filesBelow(root: string, container: string): Promise<string[]> {
  if (!(await isThere(join(root, container), container))) return [];
  const files: string[] = [];
  const open = [container];
  let seen = 0;
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const entry of await entriesOf(await realInside(root, join(root, path), path), path)) {
      if (++seen > MAX_ENTRIES) throw new SkillsError("too-large", container, `has more than ${MAX_ENTRIES} entries`);
      (entry.isDirectory() ? open : files).push(`${path}/${entry.name}`);
    }
  }
  return files;
}

/** Returns the folders with a SKILL.md below a folder, up to three levels deep; a nested skill is a part of the outer one. */
async function skillsBelow(root: string, container: string): Promise<string[]> {
  if (!(await isThere(join(root, container), container))) return [];
  const skills: string[] = [];
  const open = [{ path: container, level: 0 }];
  let seen = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, level } = next;
    if (level > 0 && (await isThere(join(root, path, "SKILL.md"), path))) {
      skills.push(path);
      continue;
    }
    if (level === SKILL_LEVELS) continue;
    const real = await realInside(root, join(root, path), path);
    for (const entry of await entriesOf(real, path)) {
      if (++seen > MAX_ENTRIES) throw new SkillsError("too-large", container, `has more than ${MAX_ENTRIES} entries`);
      const below = { path: `${path}/${entry.name}`, level: level + 1 };
      if (entry.isDirectory() || (entry.isSymbolicLink() && (await isFolder(root, below.path)))) open.push(below);
    }
  }
  return skills;
}

/** Returns whether a link leads to a folder; that folder must be in the project. */
async function isFolder(root: string, path: string): Promise<boolean> {
  const real = await realInside(root, join(root, path), path);
  return (await lstat(real)).isDirectory();
}

async function readSkill(root: string, path: string): Promise<LockedSkill> {
  const folder = await realInside(root, join(root, path), path);
  const files = await readTree(folder, path);
  const text = await readInside(folder, join(folder, "SKILL.md"), `${path}/SKILL.md`, MAX_TEXT_BYTES);
  const others = [...files].filter(([name]) => name !== "SKILL.md");
  const scripts = others.filter(([name, file]) => isScript(name, file)).sort(([a], [b]) => compareCodeUnits(a, b));
  const { name = basename(path), allowedTools } = readFrontmatter(text);
  return {
    path,
    name,
    tree: treeDigest([...files]),
    text: sha256Hex(text),
    scripts: Object.fromEntries(scripts.map(([script, { sha256 }]) => [script, sha256])),
    rest: treeDigest(others.filter((file) => !scripts.includes(file))),
    ...(allowedTools && { allowedTools }),
  };
}

function treeDigest(files: readonly (readonly [string, SkillFile])[]): string {
  const entries = files.map(([path, { sha256, as }]) => [path, { sha256, as }] as const);
  return createTreeManifest("bytes", Object.fromEntries(entries)).digest;
}

/** Extensions of files that programs run. */
const SCRIPT = /\.(?:bash|bat|cjs|cmd|cts|fish|go|js|jsx|ksh|lua|mjs|mts|php|pl|ps1|psm1|py|rb|sh|ts|tsx|vbs|zsh)$/i;

/** Returns whether a file is a script, by its folder, its extension or its first line. */
function isScript(path: string, { hasShebang }: SkillFile): boolean {
  return hasShebang || path.startsWith("scripts/") || SCRIPT.test(path);
}
