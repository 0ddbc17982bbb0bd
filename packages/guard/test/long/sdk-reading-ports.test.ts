import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { canRun, runProgram } from "@agentprint/testing/programs";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { letThrough, line } from "../support/lines.ts";

const FOREIGN = fileURLToPath(new URL("../../../mcp-visit/scripts/foreign/", import.meta.url));
const RUNS = runs(1000);
const folder = mkdtempSync(join(tmpdir(), "sdk-reading-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [BIN, PYTHON] = [join(folder, "reader"), join(folder, "venv/bin/python")];
const isDone = (command: string, ...args: string[]): boolean =>
  canRun(command, args, { stdio: ["ignore", "ignore", "inherit"] });

/** Programs that read messages with an official library, each with its build command. */
const READERS = [
  {
    name: "Python",
    command: [PYTHON, join(FOREIGN, "reader_mcp.py")],
    isMade: () =>
      isDone("python3", "-m", "venv", join(folder, "venv")) &&
      isDone(PYTHON, "-m", "pip", "install", "--quiet", "--no-compile", "-r", join(FOREIGN, "requirements-mcp.txt")),
  },
  { name: "Go", command: [BIN], isMade: () => isDone("go", "-C", join(FOREIGN, "go"), "build", "-o", BIN, "./reader") },
] as const;

/** Returns a value whose zeros have no sign, because one of the libraries reads them as integers. */
const withoutSign = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Returns messages that the guard let through, generated from a seed that a failing test prints. */
function messages(seed: number) {
  return fc
    .sample(fc.tuple(line, fc.boolean()), { numRuns: RUNS, seed })
    .flatMap(([text, isServer]) => letThrough(text, isServer));
}

test.each(READERS)(
  "the official library of $name reads what the guard saw, or refuses it",
  ({ name, command, isMade }) => {
    if (!isMade()) {
      console.log(`skipped: the official library of ${name} cannot be installed`);
      return;
    }
    const seed = Date.now();
    const written = messages(seed);
    expect(written.length).toBeGreaterThan(RUNS / 20);
    const input = written.map(({ bytes }) => Buffer.from(bytes).toString("hex")).join("\n");
    const [program, ...args] = command;
    const { stdout, stderr, status } = runProgram(program, args, { input, maxBuffer: 2 ** 28 });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(written.length);
    let read = 0;
    for (const [index, { bytes, value }] of written.entries()) {
      const said = JSON.parse(lines[index] ?? "");
      const about = `seed ${seed}: ${Buffer.from(bytes)}`;
      expect(said, about).toHaveLength(1);
      if (said[0] === "refused") continue;
      read++;
      expect(withoutSign(said), about).toEqual([withoutSign(value)]);
    }
    expect(read).toBeGreaterThan(written.length / 4);
  },
);
