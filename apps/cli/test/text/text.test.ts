import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { computeTextHash } from "@agentprint/content-hash";
import { outputOf } from "@agentprint/testing/programs";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { HAS_GIT } from "../support/repository.ts";
import { runCli } from "../support/run-cli.ts";
import { spawnCli } from "../support/spawn-cli.ts";

const root = mkdtempSync(join(tmpdir(), "agentprint-text-"));
afterAll(() => rmSync(root, { recursive: true }));
let folder = root;
beforeEach(() => {
  folder = mkdtempSync(join(root, "case-"));
});

function write(files: Record<string, string | Uint8Array>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

const run = (...args: string[]) => runCli(["text", ...args], { cwd: folder });

describe("agentprint text hash", () => {
  test("prints a digest for each file, and continues after one that it cannot hash", async () => {
    write({ "a.ts": "a\r\n  b", "b.png": Uint8Array.of(0) });
    const { code, stdout, stderr } = await run("hash", "a.ts", "b.png", "none", ".", "a.ts");
    expect(code).toBe(2);
    expect(stdout).toBe(`${computeTextHash("a b")}  a.ts\n`.repeat(2));
    expect(stderr).toContain("BINARY_CONTENT");
    expect(stderr).toContain("NOT_FOUND");
    expect(stderr).toContain("NOT_A_FILE");
  });

  test("reads standard input, takes a level, and prints JSON", async () => {
    const { code, stdout } = await runCli(["text", "hash", "--level", "eol", "--format", "json"], { stdin: "a\r\n" });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ file: "-", level: "eol", sha256: computeTextHash("a\n", "eol") });
  });
});

describe("agentprint text hash of standard input", () => {
  test.each([[Uint8Array.of(0x61, 0)], [Uint8Array.of(0x61, 0xff)]])(
    "refuses content that is not text, such as a file: %s",
    async (stdin) => {
      write({ bad: stdin });
      const [piped, read] = [await runCli(["text", "hash", "-"], { stdin }), await run("hash", "bad")];
      for (const result of [piped, read]) {
        expect(result).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("BINARY_CONTENT") });
      }
      expect(await runCli(["text", "hash", "--level", "bytes"], { stdin })).toMatchObject({ code: 0 });
    },
  );
});

describe("agentprint text compare", () => {
  test.each([
    ["a\nb", "a\nb", "whitespace", 0, "nothing differs"],
    ["a\r\nb", "a\nb", "whitespace", 0, "only line endings"],
    ["a\r\nb", "a\nb", "bytes", 1, "only line endings"],
    ["a\n b", "a\nb", "eol", 1, "only white space differs"],
    ["a", "b", "whitespace", 1, "the content differs"],
  ])("%j and %j at %s: %i", async (before, after, level, code, message) => {
    write({ before, after });
    const result = await run("compare", "before", "after", "--level", level);
    expect(result).toMatchObject({ code, stderr: "" });
    expect(result.stdout).toContain(message);
  });

  test("warns about significant white space, in every format", async () => {
    write({ "a.py": "if x:\n  y()\nz()", "b.py": "if x:\n  y()\n  z()" });
    for (const format of ["text", "json", "markdown", "sarif", "junit", "github"]) {
      const { code, stdout } = await run("compare", "a.py", "b.py", "--format", format);
      expect(code).toBe(0);
      if (format !== "junit") expect(stdout, format).toContain("Python");
    }
  });

  test("reads one of the two from standard input, and takes the language from the other", async () => {
    write({ "a.py": "if x:\n  y()" });
    const options = { cwd: folder, stdin: "if x:\n y()" };
    for (const args of [
      ["a.py", "-"],
      ["-", "a.py"],
    ]) {
      const { code, stdout } = await runCli(["text", "compare", ...args], options);
      expect(code).toBe(0);
      expect(stdout).toContain("Python");
    }
    const { code, stdout, stderr } = await runCli(["text", "compare", "-", "-"], options);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("standard input");
  });

  test("has no verdict where it cannot read", async () => {
    write({ a: "a", b: Uint8Array.of(0xff) });
    expect(await run("compare", "a", "b")).toMatchObject({ code: 2, stdout: "" });
    expect(await run("compare", "a", "none")).toMatchObject({ code: 2, stdout: "" });
  });
});

describe("agentprint text compare --strict", () => {
  test("is 1 where a removed line break may change the meaning, which is a warning without it", async () => {
    write({ "old.sh": "rm a\nb\n", "new.sh": "rm a b\n", "old.ts": "f(a,\n b)\n", "new.ts": "f(a, b)\n" });
    const lenient = await run("compare", "old.sh", "new.sh");
    expect(lenient).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("a line break has a meaning in shell"),
    });
    expect(await run("compare", "--strict", "old.sh", "new.sh")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("a line break has a meaning in shell: line 1"),
    });
    expect(await run("compare", "--strict", "old.ts", "new.ts")).toMatchObject({ code: 0 });
    const { stdout } = await run("compare", "--strict", "--format", "json", "old.sh", "new.sh");
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "drift", equal: false, equalAt: "whitespace" });
  });
});

describe("agentprint text tree", () => {
  const files = {
    "a.ts": "const a = 1;\n",
    "lib/b.ts": "b();\n",
    "lib/image.png": Uint8Array.of(0, 1, 2),
    ".gitignore": "node_modules/\n*.log\n!kept.log\n",
    "node_modules/x/index.js": "x",
    "debug.log": "x",
    "Build.LOG": "x",
    "kept.log": "x",
    "lib/.gitignore": "*.tmp\n!/b.log\n/sub/\n",
    "lib/c.tmp": "x",
    "lib/b.log": "x",
    "lib/sub/d.ts": "x",
    "sub/d.ts": "d",
  };

  test.skipIf(!HAS_GIT)("hashes the files that git would track", async () => {
    write(files);
    symlinkSync("a.ts", join(folder, "link.ts"));
    outputOf("git", ["init", "-q"], { cwd: folder });
    const tracked = outputOf("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
      cwd: folder,
    });
    expect(await run("tree", ".", "--manifest", "tree.json")).toMatchObject({ code: 0, stderr: "" });
    const manifest = JSON.parse(readFileSync(join(folder, "tree.json"), "utf8"));
    expect(Object.keys(manifest.files)).toEqual(tracked.trim().split("\n").sort());
    expect(manifest.files["a.ts"]).toEqual({ sha256: computeTextHash("const a = 1;"), as: "whitespace" });
    expect(manifest.files["lib/image.png"].as).toBe("bytes");
    expect(manifest.files["link.ts"].as).toBe("symlink");
  });

  test("checks: formatting is no change, content is", async () => {
    write(files);
    await run("tree", ".", "--manifest", "tree.json");
    write({ "a.ts": "const  a = 1;\r\n" });
    expect(await run("tree", "--check", "tree.json")).toMatchObject({ code: 0 });
    write({ "a.ts": "const a = 2;\n", "new.ts": "n" });
    rmSync(join(folder, "sub/d.ts"));
    const { code, stdout } = await run("tree", "--check", "tree.json", "--format", "json");
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ changed: ["a.ts"], added: ["new.ts"], removed: ["sub/d.ts"] });
  });

  test("has no verdict where a file cannot be hashed, and writes no manifest", async () => {
    write({ "a.ts": "a" });
    outputOf("mkfifo", [join(folder, "pipe")]);
    const { code, stdout } = await run("tree", ".", "--manifest", "tree.json");
    expect(code).toBe(2);
    expect(stdout).toContain("pipe");
    expect(() => readFileSync(join(folder, "tree.json"))).toThrow(/ENOENT/);
  });

  test("names a .gitignore that is a pipe, and does not wait for a writer", async () => {
    write({ "a.ts": "a" });
    outputOf("mkfifo", [join(folder, ".gitignore")]);
    const { code, stdout } = await run("tree", ".", "--format", "json");
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ files: 2, unreadable: [".gitignore"] });
  });

  test("continues after a folder that it cannot read, whose files are not gone", async () => {
    // The folder's path is short enough only while it is relative: root could read files regardless of their mode.
    const longest = Number(outputOf("getconf", ["PATH_MAX", "/"]));
    const levels = Math.floor((longest - 10) / 200);
    const [name, last] = ["d".repeat(199), "e".repeat(longest - 10 - 200 * levels)];
    const enter = `i=0; while [ $i -lt ${levels} ]; do mkdir ${name}; cd -P ${name}; i=$((i + 1)); done`;
    outputOf("sh", ["-c", `${enter}; mkdir ${last}; echo deep > ${last}/f`], { cwd: folder });
    write({ "a.ts": "a" });
    const written = await spawnCli(["text", "tree", ".", "--manifest", "tree.json"], { cwd: folder });
    expect(written).toMatchObject({ code: 0 });
    write({ "a.ts": "b" });
    const { code, stdout } = await run("tree", folder, "--check", "tree.json", "--format", "json");
    expect(code).toBe(2);
    const unreadable = [`${`${name}/`.repeat(levels)}${last}/`];
    expect(JSON.parse(stdout)).toMatchObject({ unreadable, changed: ["a.ts"], removed: [], added: [] });
    outputOf("rm", ["-rf", folder]); // Node cannot remove paths of this length
  });

  test("treats a file named __proto__ like any other", async () => {
    write({ ["__proto__"]: "a" });
    expect(await run("tree", ".", "--manifest", "tree.json")).toMatchObject({ code: 0 });
    expect(await run("tree", "--check", "tree.json")).toMatchObject({ code: 0, stderr: "" });
    write({ ["__proto__"]: "b" });
    const { code, stdout } = await run("tree", "--check", "tree.json", "--format", "json");
    expect(code).toBe(1);
    expect(JSON.parse(stdout).changed).toEqual(["__proto__"]);
  });

  test("refuses a manifest whose entries are malformed, and names the file", async () => {
    write({ "a.ts": "a" });
    await run("tree", ".", "--manifest", "tree.json");
    const text = readFileSync(join(folder, "tree.json"), "utf8");
    write({ "tree.json": text.replace('"as":"whitespace"', '"as":"spaces"') });
    const { code, stderr } = await run("tree", "--check", "tree.json");
    expect(code).toBe(2);
    expect(stderr).toContain("a.ts");
    write({ "tree.json": text.replace(/"files": \{.*/s, '"files": []}') });
    expect(await run("tree", "--check", "tree.json")).toMatchObject({ code: 2, stdout: "" });
  });

  test("refuses a manifest that was edited, and options that exclude each other", async () => {
    write({ "a.ts": "a" });
    await run("tree", ".", "--manifest", "tree.json");
    const text = readFileSync(join(folder, "tree.json"), "utf8");
    for (const other of ["--level=eol", "--manifest=x"]) {
      const refused = await run("tree", "--check", "tree.json", other);
      expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("exclude each other") });
    }
    write({ "tree.json": text.replace("a.ts", "b.ts") });
    expect(await run("tree", "--check", "tree.json")).toMatchObject({ code: 2, stdout: "" });
    write({ "tree.json": "{}" });
    expect(await run("tree", "--check", "tree.json")).toMatchObject({ code: 2, stdout: "" });
    expect(await run("tree", "none")).toMatchObject({ code: 2, stdout: "" });
  });
});
