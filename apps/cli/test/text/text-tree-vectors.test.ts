import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { loadSuite } from "../../../../fixtures/src/load.ts";
import { runCli } from "../support/run-cli.ts";

const root = mkdtempSync(join(tmpdir(), "agentprint-tree-vectors-"));
afterAll(() => rmSync(root, { recursive: true }));

interface TreeFile {
  readonly path: string;
  readonly hex?: string;
  readonly target?: string;
}

/** Reports whether the file systems of all platforms accept the paths. */
const isPlain = (files: readonly TreeFile[]): boolean => files.every(({ path }) => /^[\w./]+$/.test(path));

const cases = loadSuite("content-hash/tree-text")
  .cases.filter(({ expected }) => "text" in expected)
  .map(({ id, input, expected }) => ({
    id,
    ...(input as { level: string; files: TreeFile[] }),
    text: expected["text"],
  }))
  .filter(({ files }) => process.platform === "linux" || isPlain(files));

test.each(cases)("agentprint text tree writes the manifest of $id", async ({ id, level, files, text }) => {
  const folder = join(root, id);
  mkdirSync(folder);
  for (const { path, hex = "", target } of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    if (target === undefined) writeFileSync(file, Buffer.from(hex, "hex"));
    else symlinkSync(target, file);
  }
  const words = ["text", "tree", id, "--level", level, "--manifest", `${id}.json`];
  expect(await runCli(words, { cwd: root })).toMatchObject({ code: 0, stderr: "" });
  expect(readFileSync(join(root, `${id}.json`), "utf8")).toBe(text);
});
