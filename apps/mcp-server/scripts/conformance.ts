// Runs the server scenarios of the official conformance suite that the two revisions name: on the unmodified server,
// and on the same server with the suite's own tools added. It fails unless exactly the checks in
// `conformance/baseline.yaml` fail, and writes the README's table: `node scripts/conformance.ts [--write]`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { type Subject, startSubject } from "./conformance/servers.ts";

const REVISIONS = ["2025-11-25", "2026-07-28"];
const SUBJECTS: readonly Subject[] = ["server", "fixture"];
const README = fileURLToPath(new URL("../README.md", import.meta.url));
const BASELINE = new URL("conformance/baseline.yaml", import.meta.url);
const [BEGIN, END] = ["<!-- conformance -->", "<!-- /conformance -->"];
const TIMESTAMP = /-\d{4}-\d\d-\d\dT[\d-]+Z$/;

/** The checks that fail for one reason, as `<scenario>:<check>`, by revision. */
interface Expected {
  readonly subject: Subject;
  readonly cause: string;
  /** Whether the same scenarios pass on the fixture. */
  readonly proven?: boolean;
  readonly checks: Readonly<Record<string, readonly string[]>>;
}

interface Row {
  readonly subject: Subject;
  readonly revision: string;
  readonly scenario: string;
  readonly required: boolean;
  readonly passed: number;
  readonly failed: readonly string[];
}

const require = createRequire(import.meta.url);
const packageFile = require.resolve("@modelcontextprotocol/conformance/package.json");
const { version, bin } = JSON.parse(readFileSync(packageFile, "utf8")) as {
  version: string;
  bin: Record<string, string>;
};
const suite = join(packageFile, "..", Object.values(bin)[0] ?? "");

const rows: Row[] = [];
for (const subject of SUBJECTS) {
  const { url, close } = await startSubject(subject);
  for (const revision of REVISIONS) rows.push(...(await run(subject, revision, url)));
  await close();
}
if (rows.length === 0) throw new Error("no scenario was run");
const problems = compare(parse(readFileSync(BASELINE, "utf8")) as Expected[]);
const text = table();
process.stdout.write(`${text}${problems.join("\n")}\n`);
if (process.argv.includes("--write")) {
  const [before = "", rest = ""] = readFileSync(README, "utf8").split(BEGIN);
  writeFileSync(README, `${before}${BEGIN}\n\n${text}\n${END}${rest.split(END)[1] ?? ""}`);
}
process.exitCode = problems.length > 0 ? 1 : 0;

async function run(subject: Subject, revision: string, url: string): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "conformance-"));
  const required = requiredScenarios(revision);
  try {
    const args = [suite, "server", "--url", url, "--requirements", revision, "-o", folder];
    await once(spawn(process.execPath, args, { stdio: "ignore" }), "exit");
    return readdirSync(folder).map((result) => {
      const scenario = result.replace(/^server-/, "").replace(TIMESTAMP, "");
      const checks = JSON.parse(readFileSync(join(folder, result, "checks.json"), "utf8")) as {
        id: string;
        status: string;
      }[];
      const failed = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
      return {
        subject,
        revision,
        scenario,
        required: required.has(scenario),
        passed: checks.filter(({ status }) => status === "SUCCESS").length,
        failed: [...new Set(failed.map(({ id }) => `${scenario}:${id}`))].sort(),
      };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function requiredScenarios(revision: string): ReadonlySet<string> {
  const text = readFileSync(join(packageFile, "..", "requirements", `${revision}.yaml`), "utf8");
  return new Set((parse(text) as { server: string[] }).server);
}

/**
 * Returns the failing checks that are not in the baseline, the passing ones that are, and those that the fixture should
 * pass but does not.
 */
function compare(baseline: readonly Expected[]): string[] {
  const found: string[] = [];
  for (const subject of SUBJECTS) {
    for (const revision of REVISIONS) {
      const here = rows.filter((row) => row.subject === subject && row.revision === revision);
      const known = baseline.filter((entry) => entry.subject === subject);
      const expected = new Set(known.flatMap(({ checks }) => checks[revision] ?? []));
      const failed = new Set(here.flatMap((row) => row.failed));
      const ran = new Set(here.map(({ scenario }) => scenario));
      const report = (what: string, names: Iterable<string>, but: ReadonlySet<string>): void => {
        for (const name of names) if (!but.has(name)) found.push(`${what} ${subject} ${revision} ${name}`);
      };
      report("FAILED", failed, expected);
      report("NOT FAILED", expected, failed);
      report("NOT RUN", requiredScenarios(revision), ran);
    }
  }
  for (const { checks } of baseline.filter(({ proven }) => proven)) {
    for (const [revision, names] of Object.entries(checks)) {
      for (const scenario of new Set(names.map((name) => name.split(":")[0]))) {
        const row = rows.find(
          (one) => one.subject === "fixture" && one.revision === revision && one.scenario === scenario,
        );
        if (!row || row.failed.length > 0 || row.passed === 0) found.push(`NOT PROVEN ${revision} ${scenario}`);
      }
    }
  }
  return found;
}

function table(): string {
  const names = (chosen: readonly Row[]): string =>
    chosen.length === 0
      ? "none"
      : `${chosen.length}: ${chosen
          .map(({ scenario }) => `\`${scenario}\``)
          .sort()
          .join(", ")}`;
  const line = (revision: string, required: boolean): string => {
    const of = (subject: Subject) =>
      rows.filter((row) => row.subject === subject && row.revision === revision && row.required === required);
    const whole = of("server").filter(({ failed, passed }) => failed.length === 0 && passed > 0);
    const isWhole = new Set(whole.map(({ scenario }) => scenario));
    const others = of("fixture").filter(({ scenario }) => !isWhole.has(scenario));
    const proven = others.filter(({ failed, passed }) => failed.length === 0 && passed > 0);
    const rest = others.filter((row) => !proven.includes(row));
    return `| ${revision} | ${required ? "yes" : "no"} | ${names(whole)} | ${names(proven)} | ${names(rest)} |`;
  };
  return [
    `Server scenarios of \`@modelcontextprotocol/conformance\` ${version}, run on ${new Date().toISOString().slice(0, 10)} with Node ${process.versions.node}:`,
    "",
    "| revision | required | pass on the server | pass on the fixture | do not pass |",
    "| -------- | -------- | ------------------ | ------------------- | ----------- |",
    ...REVISIONS.flatMap((revision) => [line(revision, true), line(revision, false)]),
    "",
  ].join("\n");
}
