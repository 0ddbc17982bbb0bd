// Runs the official conformance suite against a server built on each official SDK: directly, and through the guard over
// HTTP, which reaches the server over HTTP and over its standard streams. `node scripts/conformance/main.ts [--write]`;
// `--write` writes the table in the guard's README. Exits with 1 if a required check fails directly, or if a check that
// passes directly fails through the guard.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withPart } from "@agentprint/testing/markdown/markdown-part";
import { type Check, requiredScenarios, runSuite } from "./run-suite.ts";
import { start } from "./start.ts";
import { formatTable, lostChecks, type Row } from "./table.ts";

const ROOT = new URL("../../../../", import.meta.url);
const README = fileURLToPath(new URL("packages/guard/README.md", ROOT));
const AGENTPRINT = [
  process.execPath,
  "--conditions=@agentprint/source",
  fileURLToPath(new URL("apps/cli/src/main.ts", ROOT)),
];

const FIXTURES = [
  { sdk: "@modelcontextprotocol/server", file: "server-v2.ts", revisions: ["2026-07-28", "2025-11-25"] },
  { sdk: "@modelcontextprotocol/sdk", file: "server-v1.ts", revisions: ["2025-11-25"] },
] as const;

async function tryFixture({ sdk, file, revisions }: (typeof FIXTURES)[number]): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "conformance-guard-"));
  try {
    const script = fileURLToPath(new URL(`apps/cli/test/conformance/${file}`, ROOT));
    const launch = [process.execPath, "--conditions=@agentprint/source", script];
    const state = { XDG_STATE_HOME: join(folder, "state") };
    await using direct = await start([...launch, "http"], folder, /http:\S+/);
    const pin = (name: string, ...more: string[]) =>
      execFileSync(AGENTPRINT[0] as string, [...AGENTPRINT.slice(1), "pin", "--name", name, ...more], {
        cwd: folder,
        env: { ...process.env, ...state },
        stdio: "ignore",
      });
    pin("http", "--url", direct.said);
    pin("stdio", "--", ...launch);
    const guard = [...AGENTPRINT, "guard", "--http", "127.0.0.1:0", "http", "stdio"];
    await using guarded = await start(guard, folder, /http:\S+ http:\S+/, state);
    const [http = "", stdio = ""] = guarded.said.split(" ");
    const rows: Row[] = [];
    for (const revision of revisions) {
      const required = await requiredScenarios(revision);
      const row: Row = {
        sdk: `${sdk} ${versionOf(sdk)}`,
        revision,
        required,
        direct: await runSuite(direct.said, revision),
        http: await runSuite(http, revision),
        stdio: await runSuite(stdio, revision),
      };
      for (const way of ["http", "stdio"] as const) tell(row, way, lostChecks(row, way));
      rows.push(row);
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function tell({ sdk, revision }: Row, way: string, lost: readonly Check[]): void {
  const names = lost.map(({ scenario, id }) => `${scenario}:${id}`);
  console.log(`${sdk}, ${revision}, through the guard to ${way}: ${names.length} lost ${names.join(" ")}`.trimEnd());
}

function versionOf(sdk: string): string {
  const { devDependencies } = JSON.parse(readFileSync(new URL("apps/cli/package.json", ROOT), "utf8")) as {
    devDependencies: Record<string, string>;
  };
  return devDependencies[sdk] as string;
}

const rows: Row[] = [];
for (const fixture of FIXTURES) rows.push(...(await tryFixture(fixture)));
const text = formatTable(rows);
console.log(text);
if (process.argv.includes("--write")) {
  writeFileSync(README, withPart(readFileSync(README, "utf8"), "guard-conformance", text));
  execFileSync(fileURLToPath(new URL("node_modules/.bin/biome", ROOT)), ["format", "--write", README]);
}
const failsDirectly = rows.some(({ direct, required }) =>
  direct.some(({ scenario, held }) => !held && required.has(scenario)),
);
if (failsDirectly || rows.some((row) => lostChecks(row, "http").length + lostChecks(row, "stdio").length > 0)) {
  process.exitCode = 1;
}
