import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { canRun, outputOf } from "@agentprint/testing/programs";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { walkTree } from "../../src/text/walk-tree.ts";

const root = mkdtempSync(join(tmpdir(), "agentprint-walk-"));
afterAll(() => rmSync(root, { recursive: true }));

/** A file's content, a link's target after `->`, or the contents of a folder. */
type Node = string | { readonly [name: string]: Node };

function build(path: string, node: Node): void {
  if (typeof node !== "string") {
    mkdirSync(path, { recursive: true });
    for (const [name, child] of Object.entries(node)) build(join(path, name), child);
  } else if (node.startsWith("->")) symlinkSync(node.slice(2), path);
  else writeFileSync(path, node);
}

const NO_CONFIG = { ...process.env, GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_SYSTEM: devNull };
const git = (folder: string, ...args: string[]): string =>
  outputOf("git", args, { cwd: folder, env: NO_CONFIG, stdio: ["ignore", "pipe", "ignore"] });
const hasGit = canRun("git", ["--version"]);

function listByGit(folder: string): string[] {
  return git(folder, "ls-files", "-z", "--others", "--exclude-standard").split("\0").filter(Boolean).sort();
}

/** Returns every file below a folder, except those of nested repositories. */
function everyFile(folder: string, below = ""): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = `${below}${entry.name}`;
    if (path === ".git") return [];
    return entry.isDirectory() ? everyFile(folder, `${path}/`) : [path];
  });
}

async function list(folder: string): Promise<string[]> {
  return (await walkTree(folder, () => undefined)).files.map(({ path }) => path);
}

/**
 * Returns an empty Git repository, which `git init` creates only once, because a process for each tree would take too
 * long.
 */
function emptyRepository(): string {
  const folder = join(root, "empty");
  if (!existsSync(folder)) {
    mkdirSync(folder);
    git(folder, "init", "-q", "--template=");
  }
  return join(folder, ".git");
}

/** Creates a folder that Git accepts as a repository and that holds only these files. */
function treeOf(files: Node): string {
  const folder = mkdtempSync(join(root, "case-"));
  cpSync(emptyRepository(), join(folder, ".git"), { recursive: true });
  build(folder, files);
  return folder;
}

describe.skipIf(!hasGit)("a walk lists what git lists (skipped: git is not here)", () => {
  test.each<[string, Node, string[]]>([
    [
      "a folder that an inner .gitignore takes back",
      { ".gitignore": "build/", sub: { ".gitignore": "!build/", build: { "a.txt": "" } }, build: { "b.txt": "" } },
      [".gitignore", "sub/.gitignore", "sub/build/a.txt"],
    ],
    [
      "a folder that is ignored again further in",
      { ".gitignore": "b", s: { ".gitignore": "!b", t: { ".gitignore": "b", b: { f: "" } }, b: { b: "", f: "" } } },
      [".gitignore", "s/.gitignore", "s/b/b", "s/b/f", "s/t/.gitignore"],
    ],
    [
      "a folder taken back whose name has wildcards",
      { ".gitignore": "?\\*[[]a]\\\\/", s: { ".gitignore": "!*/", "x*[a]\\": { f: "" } }, "y*[a]\\": { f: "" } },
      [".gitignore", "s/.gitignore", "s/x*[a]\\/f"],
    ],
    ["bytes", { ".gitignore": "\ufeff?\n[!é]x\n", é: "", a: "", bx: "" }, [".gitignore", "é"]],
    ["a .gitignore that is a link", { ignored: "a", ".gitignore": "->ignored", a: "" }, [".gitignore", "a", "ignored"]],
    ["a .gitignore that is a folder", { ".gitignore": { a: "" }, a: "" }, [".gitignore/a", "a"]],
  ])("%s", async (_name, files, expected) => {
    const folder = treeOf(files);
    expect(await list(folder)).toEqual(expected);
    expect(listByGit(folder)).toEqual(expected);
  });

  const name = fc.constantFrom("a", "b", "c.x", "a.x", "x", "é", "[a]", "a*", "#a", "!a", "a b", "\\a");
  const pattern = fc.constantFrom(
    ...["a", "b/", "!a", "!b/", "*.x", "!*.x", "/a", "a/b", "**/a", "b/**", "!b/a", "a/*", "!a/b", "# c", "\\#a", " "],
    ...["a ", "*", "!*/", "!*", "[ab]", "![ab]/", "/b/", "x/", "!c.x", "?.x", "b/*.x", "**", "/**/a/", "!/a", "\\[a]"],
    ...["!\\[a]/", "a\\*", "!a\\*/", "\\!a", "a b", "!a?", "\\\\a", "!\\\\a/", "é", "/", "!/", "[!a]", "a/**/b", "\\"],
  );
  const gitignore = fc
    .tuple(fc.array(pattern, { minLength: 1, maxLength: 4 }), fc.constantFrom("\n", "\r\n"))
    .map(([lines, end]) => lines.join(end) + end);
  const folderOf = (child: fc.Arbitrary<Node>): fc.Arbitrary<Node> =>
    fc
      .tuple(fc.dictionary(name, child, { maxKeys: 4, noNullPrototype: true }), fc.option(gitignore))
      .map(([files, rules]) => (rules === null ? files : { ...files, ".gitignore": rules }));
  const file = fc.constant<Node>("");
  const tree = folderOf(fc.oneof(file, folderOf(fc.oneof(file, folderOf(fc.oneof(file, folderOf(file)))))));

  test("regardless of the .gitignore files", async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (files) => {
        const folder = treeOf(files);
        const { files: found, leftOut } = await walkTree(folder, () => undefined);
        const listed = found.map(({ path }) => path);
        expect(listed).toEqual(listByGit(folder));
        // Every other file is left out, alone or with a folder above it, because of an existing .gitignore.
        const covered = (path: string): boolean =>
          leftOut.some(({ path: out }) => (out.endsWith("/") ? path.startsWith(out) : path === out));
        const all = everyFile(folder);
        expect(all.filter((path) => !covered(path)).sort()).toEqual(listed);
        expect(leftOut.filter(({ path, by }) => path !== ".git/" && !all.includes(by ?? ""))).toEqual([]);
        rmSync(folder, { recursive: true });
      }),
      { numRuns: runs(40) },
    );
  });
});
