// Runs the client scenarios of the official conformance suite that the two revisions require, and writes the table in
// the command's README: `node scripts/conformance.ts [--write]`. It fails if a check fails.
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const REVISIONS = ["2025-11-25", "2026-07-28"];
/**
 * Scenarios that no revision requires: the client shows the server's definitions, and the extensions of authorization.
 */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  "2026-07-28": [
    "json-schema-2020-12-preservation",
    "auth/client-credentials-jwt",
    "auth/client-credentials-basic",
    "auth/enterprise-managed-authorization",
    "auth/wif-jwt-bearer",
    "auth/dpop",
    "auth/dpop-nonce",
  ],
};
const README = fileURLToPath(new URL("../../../apps/cli/README.md", import.meta.url));
const [BEGIN, END] = ["<!-- conformance -->", "<!-- /conformance -->"];

const require = createRequire(import.meta.url);
const packageFile = require.resolve("@modelcontextprotocol/conformance/package.json");
const { version, bin } = JSON.parse(readFileSync(packageFile, "utf8")) as {
  version: string;
  bin: Record<string, string>;
};
const suite = join(packageFile, "..", Object.values(bin)[0] ?? "");
const client = fileURLToPath(new URL("conformance-client.ts", import.meta.url));

interface Row {
  readonly revision: string;
  readonly scenario: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const rows: Row[] = [];
for (const revision of REVISIONS) {
  const required = scenarios(revision);
  for (const scenario of [...required, ...(ALSO[revision] ?? [])]) {
    const row = run(revision, scenario);
    process.stdout.write(`${JSON.stringify(row)}\n`);
    rows.push(row);
  }
}
if (rows.length === 0) throw new Error("no scenario was run");
const text = table();
process.stdout.write(text);
if (process.argv.includes("--write")) {
  const readme = readFileSync(README, "utf8");
  const [before = "", rest = ""] = readme.split(BEGIN);
  writeFileSync(README, `${before}${BEGIN}\n\n${text}\n${END}${rest.split(END)[1] ?? ""}`);
}
process.exitCode = rows.some(({ failed, passed }) => failed > 0 || passed === 0) ? 1 : 0;

function scenarios(revision: string): string[] {
  const { stdout } = spawnSync(process.execPath, [suite, "list", "--client", "--requirements", revision], {
    encoding: "utf8",
  });
  const required = stdout.split("Run and reported")[0]?.split("Client scenarios")[1] ?? "";
  return [...required.matchAll(/^ +- (\S+)/gm)].map(([, name]) => name as string);
}

function run(revision: string, scenario: string): Row {
  const folder = mkdtempSync(join(tmpdir(), "conformance-"));
  const command = `${process.execPath} --conditions=@agentprint/source ${client}`;
  const args = [
    "client",
    "--force",
    "--scenario",
    scenario,
    "--spec-version",
    revision,
    "--command",
    command,
    "-o",
    folder,
  ];
  try {
    spawnSync(process.execPath, [suite, ...args], { encoding: "utf8" });
    const [result = ""] = globSync("**/checks.json", { cwd: folder });
    const checks = JSON.parse(readFileSync(join(folder, result), "utf8")) as { status: string }[];
    const count = (...statuses: string[]) => checks.filter(({ status }) => statuses.includes(status)).length;
    return {
      revision,
      scenario,
      passed: count("SUCCESS"),
      failed: count("FAILURE", "WARNING"),
      skipped: count("SKIPPED"),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function table(): string {
  const sum = (column: "passed" | "failed" | "skipped") => rows.reduce((total, row) => total + row[column], 0);
  return [
    `Client checks of \`@modelcontextprotocol/conformance\` ${version}, run on ${new Date().toISOString().slice(0, 10)} with Node ${process.versions.node}:`,
    "",
    "| revision | scenario | passed | failed or warned | skipped by the suite |",
    "| -------- | -------- | ------ | ---------------- | -------------------- |",
    ...rows.map(
      ({ revision, scenario, passed, failed, skipped }) =>
        `| ${revision} | \`${scenario}\` | ${passed} | ${failed} | ${skipped} |`,
    ),
    `| together | ${rows.length} scenarios | ${sum("passed")} | ${sum("failed")} | ${sum("skipped")} |`,
    "",
    "Not applicable: `auth/2025-03-26-…` belong to a revision without resource metadata.",
    "",
  ].join("\n");
}
