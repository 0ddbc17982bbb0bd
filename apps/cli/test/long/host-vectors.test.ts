import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { outputOf, runProgram } from "@agentprint/testing/programs";
import { python } from "@agentprint/testing/vectors/ports";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AGENTPRINT_LINE } from "../support/spawn-cli.ts";

const VECTORS = fileURLToPath(new URL("../../../../fixtures/bin/vectors.js", import.meta.url));
const GUARDED = fileURLToPath(new URL("../support/guarded-listing.ts", import.meta.url));

interface Row {
  readonly change: string;
  readonly outcome: string;
  readonly isRight: boolean;
  readonly reason?: string;
}

/** Pins on the first run and compares on the second; both arguments are shell commands. */
const inTwoRuns = (pin: string, check: string): string[] => [
  "sh",
  "-c",
  `if test -f pinned; then exec ${check}; else touch pinned; exec ${pin}; fi`,
];

/** Returns the changes that a host does not notice, and the rows that failed, with the reason. */
function missed(words: readonly string[]): unknown {
  // If both are set, Node writes a warning, and the test expects only the guard's words.
  const { FORCE_COLOR: _force, NO_COLOR: _no, ...env } = process.env;
  const host = [VECTORS, "host", "--format", "json", "--timeout", "600000", "--"];
  const { stdout, stderr } = runProgram(process.execPath, [...host, ...words], { env });
  if (stdout === "") throw new Error(stderr);
  const { rows } = JSON.parse(stdout) as { readonly rows: readonly Row[] };
  const wrong = rows.filter(({ isRight }) => !isRight);
  return wrong.map(({ change, outcome, reason }) => [change, reason ?? outcome]);
}

const PIN = `${AGENTPRINT_LINE} pin --name s -- "{server}"`;

describe("agentprint", () => {
  test("notices every change by check", () => expect(missed(inTwoRuns(PIN, `${AGENTPRINT_LINE} check`))).toEqual([]));

  test("with its guard, notices every change that would reach a client; in place of changed instructions, the client receives the pinned ones", () => {
    const guard = `"${process.execPath}" --conditions=@agentprint/source "${GUARDED}" ${AGENTPRINT_LINE} guard s -- "{server}"`;
    const first = `sh -c '${PIN.replaceAll("'", "'\\''")} && ${guard}'`;
    expect(missed(inTwoRuns(first, guard))).toEqual([["instructions", "not noticed"]]);
  });
});

describe.skipIf(python === undefined)("peers from PyPI", () => {
  let venv = "";
  beforeAll(() => {
    venv = mkdtempSync(join(tmpdir(), "host-peers-"));
    outputOf(python as string, ["-m", "venv", venv]);
    outputOf(join(venv, "bin/pip"), ["install", "--quiet", "mcp-warden-cli==2.2.0", "mcplock==1.0.3"]);
  });
  afterAll(() => rmSync(venv, { recursive: true, force: true }));

  test("mcp-warden misses changes that its lock does not hold", () => {
    const warden = join(venv, "bin/mcp-warden");
    const words = inTwoRuns(`${warden} pin -- "{server}"`, `${warden} check -- "{server}"`);
    expect(missed(words)).toEqual([
      ["_meta", "not noticed"],
      ["instructions", "not noticed"],
    ]);
  });

  test("mcplock misses changes that its snapshot does not hold", () => {
    const mcplock = join(venv, "bin/mcplock");
    const check = `${mcplock} check --fail-on informational "{server}"`;
    expect(missed(inTwoRuns(`${mcplock} snapshot "{server}"`, check))).toEqual([
      ["output schema", "not noticed"],
      ["_meta", "not noticed"],
      ["instructions", "not noticed"],
    ]);
  });
});
