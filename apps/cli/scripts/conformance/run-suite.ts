import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const require = createRequire(import.meta.url);
const packageFile = require.resolve("@modelcontextprotocol/conformance/package.json");
const { version, bin } = JSON.parse(readFileSync(packageFile, "utf8")) as {
  version: string;
  bin: Record<string, string>;
};
const suite = join(packageFile, "..", Object.values(bin)[0] ?? "");

export const SUITE_VERSION: string = version;

/** A check of a scenario, with its worst result if the suite ran it several times. */
export interface Check {
  readonly scenario: string;
  readonly id: string;
  readonly passed: boolean;
  /** Whether the check did not fail. A result that the suite only reports is not a failure. */
  readonly held: boolean;
}

/** Milliseconds for one scenario. */
const TIMEOUT = 15_000;

/** Runs the required and the optional scenarios of a revision against a server; skipped checks are left out. */
export async function runSuite(url: string, revision: string): Promise<readonly Check[]> {
  const folder = mkdtempSync(join(tmpdir(), "conformance-"));
  try {
    const args = ["server", "--url", url, "--requirements", revision, "--timeout", String(TIMEOUT), "-o", folder];
    await once(spawn(process.execPath, [suite, ...args], { stdio: "ignore" }), "exit");
    return readdirSync(folder).flatMap((name) => readChecks(folder, name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readChecks(folder: string, name: string): Check[] {
  const scenario = name.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT[\w-]+$/, "");
  const checks = JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8")) as {
    id: string;
    status: string;
  }[];
  const run = checks.filter(({ status }) => status !== "SKIPPED");
  return [...new Set(run.map(({ id }) => id))].map((id) => {
    const statuses = run.flatMap((check) => (check.id === id ? [check.status] : []));
    return {
      scenario,
      id,
      passed: statuses.every((status) => status === "SUCCESS"),
      held: statuses.every((status) => status === "SUCCESS" || status === "INFO"),
    };
  });
}

/** The server scenarios that decide whether a server conforms to a revision. */
export async function requiredScenarios(revision: string): Promise<ReadonlySet<string>> {
  const child = spawn(process.execPath, [suite, "list", "--server", "--requirements", revision]);
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  await once(child, "close");
  const required = /Server scenarios[^\n]*\n([\s\S]*?)\n\n/.exec(text)?.[1] ?? "";
  return new Set([...required.matchAll(/^ +- (\S+)/gm)].map(([, name]) => name as string));
}
