import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "@agentprint/testing/programs";
import { describe, expect, test } from "vitest";
import { listSuites } from "../../../../fixtures/src/load.ts";
import { runCli } from "../support/run-cli.ts";

const CLI = fileURLToPath(new URL("../../", import.meta.url));
const PACKAGE = "@agentprint/golden-vectors";

/** Creates a project in which the package is installed; `code` is the package's command. */
function projectWith(code: string): string {
  const project = mkdtempSync(join(tmpdir(), "vectors-"));
  const root = join(project, "node_modules", PACKAGE);
  for (const folder of ["bin", "schema"]) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(
    join(root, "package.json"),
    JSON.stringify({ name: PACKAGE, type: "module", exports: { "./schema/*": "./schema/*" } }),
  );
  writeFileSync(join(root, "schema/operations.json"), "{}");
  writeFileSync(join(root, "bin/vectors.js"), code);
  return project;
}

describe("agentprint vectors, with the vectors installed next to it", () => {
  test("lists the suites", async () => {
    const run = await runCli(["vectors", "list"]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    for (const suite of listSuites()) expect(run.stdout).toContain(suite);
  });

  test("shows the help of their command", async () => {
    const run = await runCli(["vectors", "run", "--help"]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout).toContain("Usage: vectors run");
  });

  test("runs a port and ends with 1 for a wrong answer", async () => {
    const port = `node -e "
      require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { hello, id } = JSON.parse(line);
        const about = { name: 'wrong', language: 'JavaScript', version: '0', operations: ['canonical-json/canonicalize'] };
        console.log(JSON.stringify(hello ? about : { id, result: { canonical: 'wrong' } }));
      })"`;
    const run = await runCli(["vectors", "run", "canonical-json/rfc8785-structure", "--exec", port]);
    expect(run).toMatchObject({ code: 1, stderr: "" });
  });

  test.each([["run", "no-such-suite"], ["run", "--no-such-option"], ["no-such-command"], []])(
    "ends 2 on vectors %s %s",
    async (...args) => {
      expect(await runCli(["vectors", ...args])).toMatchObject({ code: 2, stdout: "" });
    },
  );
});

describe("agentprint vectors, in a project", () => {
  test("runs the command of the vectors installed there, with the same arguments and in the same folder", async () => {
    const cwd = projectWith("console.log(JSON.stringify(process.argv.slice(2))); console.error(process.cwd());");
    const run = await runCli(["vectors", "run", "a b", "--exec", "./port"], { cwd });
    expect(run.stdout).toBe('["run","a b","--exec","./port"]\n');
    expect(run.stderr).toContain(cwd);
    expect(run.code).toBe(0);
  });

  test.each([
    ["process.exitCode = 1;", 1],
    ["process.exitCode = 3;", 2],
    ["process.kill(process.pid, 'SIGKILL');", 2],
  ])("%s ends with %i", async (code, expected) => {
    expect((await runCli(["vectors", "lint"], { cwd: projectWith(code) })).code).toBe(expected);
  });
});

test("agentprint vectors, where no vectors are installed, prints the line that runs them and ends 2", () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "command-"));
  for (const part of ["package.json", "src"]) cpSync(join(CLI, part), join(elsewhere, part), { recursive: true });
  symlinkSync(join(CLI, "node_modules"), join(elsewhere, "node_modules"));
  const words = ["--conditions=@agentprint/source", "src/main.ts", "vectors", "run", "--exec", "./my port"];
  const { NODE_PATH: _, ...env } = process.env; // pnpm names there what it installed
  const { status, stdout, stderr } = runProgram(process.execPath, words, { cwd: elsewhere, env });
  expect(stderr).toBe(
    `error: ${PACKAGE} is not installed\n  fix:       npx -p ${PACKAGE} vectors run --exec './my port'\n  code:      unreadable-input\n`,
  );
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
});
