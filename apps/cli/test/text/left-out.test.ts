import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTreeManifest, type TreeManifest } from "@agentprint/content-hash";
import { EXIT, type JudgedReport, judgeReport } from "@agentprint/findings";
import { outputOf } from "@agentprint/testing/programs";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { hashTree } from "../../src/text/hash-tree.ts";
import { treeReport } from "../../src/text/tree-report.ts";
import { HAS_GIT } from "../support/repository.ts";
import { memoryContext, runCli } from "../support/run-cli.ts";

const root = mkdtempSync(join(tmpdir(), "agentprint-left-out-"));
afterAll(() => rmSync(root, { recursive: true }));
let folder = root;
beforeEach(() => {
  folder = mkdtempSync(join(root, "case-"));
});

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** Runs the check without starting a process; returns its report, its manifest and the files that it left out. */
async function check(
  recorded?: TreeManifest,
): Promise<{ report: JudgedReport; manifest: TreeManifest; leftOut: string[] }> {
  const tree = await hashTree(memoryContext(), folder, "whitespace", undefined);
  const manifest = createTreeManifest("whitespace", Object.fromEntries(tree.entries));
  const report = judgeReport(treeReport(folder, tree, manifest, recorded));
  return { report, manifest, leftOut: (report.data as { leftOut: string[] }).leftOut };
}

const linesOf = ({ findings }: JudgedReport): string[] =>
  findings.map(({ rule, level, place, message }) => `${rule} ${level} ${place.subject}: ${message}`);

const FILES = {
  ".gitignore": "node_modules/\n*.log\n!kept.log\n",
  "node_modules/x/index.js": "x",
  "debug.log": "x",
  "kept.log": "x",
  "lib/.gitignore": "*.tmp\n/sub/\n",
  "lib/a.ts": "x",
  "lib/c.tmp": "x",
  "lib/sub/d.ts": "x",
};

describe("a tree names the files that it leaves out", () => {
  test.skipIf(!HAS_GIT)("and by which .gitignore, whether it is checked or not", async () => {
    write(FILES);
    outputOf("git", ["init", "-q"], { cwd: folder });
    const { report, manifest, leftOut } = await check();
    expect(leftOut).toEqual([".git/", "debug.log", "lib/c.tmp", "lib/sub/", "node_modules/"]);
    const notes = [
      "text/left-out note .git/: is left out",
      "text/left-out note .gitignore: leaves out debug.log, node_modules/",
      "text/left-out note lib/.gitignore: leaves out lib/c.tmp, lib/sub/",
    ];
    expect([EXIT[report.outcome], linesOf(report)]).toEqual([0, notes]);
    write({ "node_modules/y/index.js": "y", ".git/hooks/post-checkout": "x" });
    const again = (await check(manifest)).report;
    expect([EXIT[again.outcome], linesOf(again)]).toEqual([0, notes]);
  });

  test("names a few of many", async () => {
    write({ ".gitignore": "*.log", ...Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`${i}.log`, ""])) });
    expect(linesOf((await check()).report)).toEqual([
      "text/left-out note .gitignore: leaves out 0.log, 1.log, 2.log, 3.log, 4.log and 4 more",
    ]);
  });

  test("on the command line", async () => {
    write(FILES);
    const { code, stdout } = await runCli(["text", "tree"], { cwd: folder });
    expect([code, stdout]).toEqual([0, expect.stringContaining("leaves out debug.log, node_modules/")]);
  });
});

describe("a check has no verdict on files that no hashed .gitignore leaves out", () => {
  test.each<[string, Readonly<Record<string, string>>, subject: string, leftOut: string[]]>([
    [
      "a new folder that ignores all",
      { "e/.gitignore": "*", "e/run.sh": "" },
      "e/.gitignore",
      ["e/.gitignore", "e/run.sh"],
    ],
    [
      "a folder in a new folder that ignores all",
      { "e/.gitignore": "*\n", "e/f/x": "" },
      "e/.gitignore",
      ["e/.gitignore", "e/f/"],
    ],
    [
      "a .gitignore that names itself and more",
      { "lib/e/.gitignore": ".git*\nx", "lib/e/x": "" },
      "lib/e/.gitignore",
      ["lib/e/.gitignore", "lib/e/x"],
    ],
    [
      "a .gitignore that names only itself",
      { "e/.gitignore": "/.gitignore", "e/kept.log": "x" },
      "e/.gitignore",
      ["e/.gitignore"],
    ],
    ["a nested .git", { "lib/.git/hooks/run.sh": "" }, "lib/.git/", ["lib/.git/"]],
    ["a nested .git that is a file", { "lib/.git": "gitdir: ../x" }, "lib/.git", ["lib/.git"]],
    ["a .git in a .git", { "lib/e/.git/.git/x": "" }, "lib/e/.git/", ["lib/e/.git/"]],
  ])("%s", async (_name, added, subject, leftOut) => {
    write(FILES);
    const before = await check();
    write(added);
    const { report, leftOut: after } = await check(before.manifest);
    expect(EXIT[report.outcome]).toBe(2);
    const [first] = report.findings.filter(({ rule }) => rule !== "text/file-added");
    expect(first).toMatchObject({ rule: "text/left-out-unseen", place: { subject }, couldNotTell: true });
    expect(report.checked).toContain(subject);
    expect(after.filter((path) => !before.leftOut.includes(path))).toEqual(leftOut);
  });

  test("nor where the manifest was written with it there", async () => {
    write({ ...FILES, "venv/.gitignore": "*", "venv/bin": "" });
    const { manifest, report } = await check();
    expect(EXIT[report.outcome]).toBe(0);
    expect(EXIT[(await check(manifest)).report.outcome]).toBe(2);
  });

  test("but it can where a .gitignore that is hashed names it", async () => {
    write({ ...FILES, "venv/.gitignore": "*", "venv/bin": "", "vendor/.git": "gitdir: x", "vendor/a": "" });
    write({ ".gitignore": `${FILES[".gitignore"]}venv/\nvendor/.git\n` });
    const { manifest, leftOut } = await check();
    expect(leftOut).toEqual(expect.arrayContaining(["vendor/.git", "venv/"]));
    expect(EXIT[(await check(manifest)).report.outcome]).toBe(0);
    write({ ".gitignore": `${FILES[".gitignore"]}*\n!.gitignore\n` });
    expect(linesOf((await check(manifest)).report)).toContain("text/file-changed error .gitignore: changed");
  });
});
