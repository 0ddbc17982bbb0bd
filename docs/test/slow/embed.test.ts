import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blocksOf } from "@agentprint/testing/markdown/code-blocks";
import { runProgram } from "@agentprint/testing/programs";
import { fetchCrates, folder, HAS_GO, HAS_PYTHON, HAS_RUST, python } from "@agentprint/testing/vectors/ports";
import { afterAll, beforeAll, expect, test } from "vitest";
import { REPOSITORY } from "../examples.ts";

const BLOCKS = blocksOf("docs/embed.md");

/** Returns the page's code block for a file name. */
function shown(name: string): string {
  const block = BLOCKS.find(({ file }) => file === name);
  if (block === undefined) throw new Error(`docs/embed.md has no ${name}`);
  return block.code;
}

const PRINTED = BLOCKS.find(({ language }) => language === "text")?.code;

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "embed-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs a program from the page in a folder with the page's listings; no registry can be reached. */
function run(files: Readonly<Record<string, string>>, program: string, words: readonly string[]): unknown {
  const cwd = mkdtempSync(join(root, "project-"));
  const listings = Object.fromEntries(["before.json", "after.json"].map((name) => [name, shown(name)]));
  for (const [path, text] of Object.entries({ ...listings, ...files })) {
    mkdirSync(join(cwd, path, ".."), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  mkdirSync(join(cwd, "node_modules/@agentprint"), { recursive: true });
  symlinkSync(join(REPOSITORY, "packages/tool-pins"), join(cwd, "node_modules/@agentprint/tool-pins"));
  const env = {
    ...process.env,
    GOPROXY: "off",
    GOFLAGS: "-mod=mod",
    CARGO_NET_OFFLINE: "true",
    CARGO_TARGET_DIR: join(root, "target"),
    PYTHONPATH: join(folder("python"), "src"),
    PYTHONDONTWRITEBYTECODE: "1",
  };
  const { status, stdout, stderr } = runProgram(program, [...words], { cwd, env });
  return { status, stdout, ...(status === 0 ? {} : { stderr }) };
}

const EXPECTED = { status: 0, stdout: PRINTED };

test("the three lines in TypeScript print what the page shows", () => {
  const words = ["--conditions=@agentprint/source", "pins.mjs"];
  expect(run({ "pins.mjs": shown("pins.mjs") }, process.execPath, words)).toEqual(EXPECTED);
});

test.skipIf(!HAS_PYTHON)("in Python, too (skipped without Python 3.10)", () => {
  expect(run({ "pins.py": shown("pins.py") }, python as string, ["pins.py"])).toEqual(EXPECTED);
});

test.skipIf(!HAS_GO)("in Go, too (skipped without Go)", () => {
  const module = `module gateway

go 1.24

require agentprint.invalid/go v0.0.0

replace agentprint.invalid/go => ${folder("go")}
`;
  expect(run({ "go.mod": module, "main.go": shown("main.go") }, "go", ["run", "."])).toEqual(EXPECTED);
});

test.skipIf(!HAS_RUST)("in Rust, too (skipped without Rust 1.88)", () => {
  fetchCrates();
  const manifest = `[package]
name = "scanner"
edition = "2024"

[dependencies]
agentprint = { path = ${JSON.stringify(folder("rust"))}, default-features = false, features = ["pins"] }
`;
  const files = { "Cargo.toml": manifest, "src/main.rs": shown("main.rs") };
  expect(run(files, "cargo", ["run", "--quiet"])).toEqual(EXPECTED);
});
