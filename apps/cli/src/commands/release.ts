import type { Project } from "@agentprint/artifacts";
import { EXIT, type ExitCode, judgeReport } from "@agentprint/findings";
import type { Launch } from "@agentprint/launch";
import { changelogEntry, changesetText, judgeRelease, type ReleaseVerdict } from "@agentprint/release";
import { type Command, Option } from "commander";
import { addEnvAndHeaders, commandAfterDashes } from "../clients/targets-from-arguments.ts";
import { replaceFile } from "../files/replace-file.ts";
import { nameOfCommand } from "../launch/server-name.ts";
import { targetFromEnvironment } from "../launch/server-target.ts";
import { lockVisited } from "../lock/lock-visited.ts";
import { addSettingsHelp, addSpeakerOptions, type SpeakerOptions, withVisits } from "../options/visit-options.ts";
import { readSettings } from "../policy/read-policy.ts";
import { hygieneOf } from "../release/hygiene.ts";
import { declaredVersion, hasChangesets, readAliases, readOwnProject } from "../release/read-declared.ts";
import { type ComingRelease, firstReleaseReport, releaseReport } from "../release/release-report.ts";
import { releasedSide, SNAPSHOT } from "../release/released-side.ts";
import { snapshotFindings } from "../release/snapshot.ts";
import type { StatementAuthor, StatementOptions } from "../release/write-statement.ts";
import { addAlsoOption, addServerReportOptions, type ReportOptions } from "../report/report-options.ts";
import { writeReport } from "../report/write-report.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import type { Examples } from "../terminal/examples.ts";
import { days, instance, variableNames } from "../terminal/option-parsers.ts";
import { planPin } from "../visit/visit-plan.ts";
import { visitTarget } from "../visit/visit-servers.ts";

type ReleaseOptions = SpeakerOptions &
  ReportOptions &
  StatementOptions & {
    readonly against?: string;
    readonly env: readonly string[];
    readonly changelog: boolean;
    readonly markdown: boolean;
    readonly init: boolean;
  };

export const examples: Examples = [
  ["agentprint release", "which version bump the changes since the last release require, by package.json"],
  ["agentprint release --env API_KEY -- node dist/index.js", "the working tree, started by a command with a variable"],
  ["agentprint release --against my-server@1.2.0 --changelog", "the entry for a changelog, or a changeset"],
  [
    "agentprint release --against v1.2.0 --markdown --output comment.md",
    "a comment for a pull request, compared with a tag",
  ],
  [
    "agentprint release --statement agentprint.statement.json --key author.pem --expires 90d",
    "sign what the release contains and what changed, for its users",
  ],
  [
    "agentprint release --statement agentprint.statement.json --sigstore trusted_root.json",
    "the same in CI without a key, as the identity of the job",
  ],
  [
    "agentprint release --statement out.json --key author.pem --server-json https://example.com/out.json",
    "and name it in server.json, for the MCP registry",
  ],
  ["agentprint release --init", "write a snapshot of the tools and a job for CI"],
  [
    "agentprint release --as cursor --capabilities roots --format json --also markdown=release.md --full",
    "for scripts, as Cursor with these capabilities sees the tools",
  ],
];

const DAY = 86_400_000;

export function define(command: Command): void {
  command
    .usage("[options] [-- command...]")
    .argument("[command...]", "after --: the command that starts the server of the working tree")
    .option(
      "--against <release>",
      "the previous release: package@version, a tag or commit with a snapshot, or a lock file",
    )
    .option("--env <NAME>", "pass this variable on to the server of the working tree; repeatable", variableNames, [])
    .option("--changelog", "write a changelog entry, or a changeset if the repository uses them", false)
    .option("--markdown", "write the report as a comment for a pull request", false)
    .option(
      "--statement <file>",
      "sign a statement about the release if its version is sufficient; needs --key or --sigstore",
    )
    .option("--key <file>", "the Ed25519 key that signs, in PEM")
    .option(
      "--sigstore <file>",
      "instead of --key: sign with Sigstore as the current identity; the file contains its trusted root",
    )
    .option("--fulcio <url>", "the authority that issues the certificate", instance, "https://fulcio.sigstore.dev")
    .option("--rekor <url>", "the log of signatures", instance, "https://rekor.sigstore.dev")
    .option("--tsa <url>", "a time stamp authority, in addition to the log", instance)
    .option("--server-json <address>", "name the statement in server.json, with the address at which you publish it")
    .addOption(
      new Option("--expires <days>", "how long the statement is valid").argParser(days).default(365 * DAY, "365d"),
    )
    .option("--init", "write the snapshot of the tools, and a CI job if there is none", false);
  addAlsoOption(addServerReportOptions(addSpeakerOptions(command)));
  addSettingsHelp(command);
}

export async function run(
  context: Context,
  operands: readonly string[],
  options: ReleaseOptions,
  command: Command,
): Promise<ExitCode> {
  const launched = commandAfterDashes(command);
  if (operands.length !== launched.length) {
    throw new CliError("usage", "the command of the server comes after --", {
      expected: "agentprint release [options] -- command…",
    });
  }
  const author = await authorOf(context, options);
  const project = await readOwnProject(context);
  const launch = launchOf(project, launched);
  const visiting = withVisits(context, { ...options, header: [] }, (await readSettings(context, "")).visits);
  const name = nameOfCommand([project.name]);
  const [target] = addEnvAndHeaders(context, [targetFromEnvironment(context, name, launch)], visiting);
  if (target === undefined) throw new Error("a launch is one target");
  const entry = lockVisited(context, name, await visitTarget(context, target, planPin(visiting), visiting));
  if (options.init) {
    const { initRelease } = await import("../release/init-release.ts");
    return initRelease(context, project, entry, launched);
  }
  const released = await releasedSide(context, project, launch, visiting);
  const aliases = await readAliases(context);
  const verdict = judgeRelease(released?.entry ?? entry, entry, aliases);
  if (options.changelog) await writeChangeset(context, project, verdict);
  const coming: ComingRelease = { project, entry, declared: await declaredVersion(context, project) };
  const snapshot = await snapshotFindings(context, entry);
  const hygiene = await hygieneOf(entry, released?.entry);
  const report = judgeReport(
    released
      ? releaseReport(coming, released, verdict, snapshot, hygiene)
      : firstReleaseReport(coming, snapshot, hygiene),
  );
  if (author && report.outcome === "same") {
    const { writeStatement } = await import("../release/write-statement.ts");
    await writeStatement(context, author, coming, released, aliases);
  }
  if (!options.changelog) {
    return writeReport(context, report, options.markdown ? { ...options, format: "markdown" } : options, [SNAPSHOT]);
  }
  const date = new Date().toISOString().slice(0, 10);
  const text = context.hidden.replace(changelogEntry(verdict, { version: coming.declared, date }));
  if (options.output === undefined) context.stdout.write(text);
  else await replaceFile(context, options.output, text);
  return EXIT[report.outcome];
}

/** Returns the author who signs a statement; `undefined` if no option names one. */
async function authorOf(context: Context, options: StatementOptions): Promise<StatementAuthor | undefined> {
  const { statement, key, sigstore, serverJson } = options;
  if ([statement, key, sigstore, serverJson].every((option) => option === undefined)) return undefined;
  const { openAuthor } = await import("../release/write-statement.ts");
  return openAuthor(context, options);
}

/** @throws {@link CliError} `usage` if neither the command line nor the project defines how the server is started */
function launchOf(project: Project, [command, ...args]: readonly string[]): Extract<Launch, { type: "stdio" }> {
  if (command !== undefined) return { type: "stdio", command, args, env: [] };
  if (project.launch !== undefined) return project.launch;
  throw new CliError("usage", `${project.file} does not say how the server is started`, {
    expected: "one program in bin of package.json, or in [project.scripts] of pyproject.toml",
    fix: "give the command: agentprint release -- node dist/index.js",
  });
}

/** The changeset that `--changelog` writes: one file, so that a second run replaces it. */
const CHANGESET = ".changeset/agentprint-release.md";

async function writeChangeset(context: Context, { name }: Project, verdict: ReleaseVerdict): Promise<void> {
  const text = changesetText(verdict, name);
  if (text === undefined || !(await hasChangesets(context))) return;
  await replaceFile(context, CHANGESET, context.hidden.replace(text));
  context.stderr.write(`wrote ${CHANGESET}\n`);
}
