import { relative, resolve, sep } from "node:path";
import type { Project } from "@agentprint/artifacts";
import { EXIT, type ExitCode } from "@agentprint/findings";
import type { LockedServer } from "@agentprint/mcp-lock";
import { parseDocument, type YAMLMap, type YAMLSeq } from "yaml";
import { type PlannedFile, planFile, writePlannedFile } from "../files/planned-file.ts";
import { repositoryOf } from "../git/find-repository.ts";
import { readTemplate, textOf } from "../init/ci-files.ts";
import { printFiles, printSteps } from "../init/print-init.ts";
import { itemsInWords } from "../lock/entry-summary.ts";
import type { Context } from "../run/context.ts";
import { commandLine } from "../terminal/command-line.ts";
import { SNAPSHOT } from "./released-side.ts";
import { writeSnapshot } from "./snapshot.ts";

const WORKFLOW = "agentprint-release.yml";

/** The steps that prepare the server of a repository to be started, by the file that declares the package. */
const BUILD: Readonly<Record<string, string>> = {
  "package.json": "npm ci\nnpm run build --if-present\n",
  "pyproject.toml": "pipx install uv\nuv sync\n",
};

/**
 * Writes the snapshot of a server's own tools, and the job that compares each pull request with the previous release;
 * an existing job that differs is kept.
 *
 * @param entry The server of the working tree
 * @param launched The command that the command line named; the job uses the same command
 * @throws {@link CliError} `unreadable-input`, `unwritable-output`, `lock-busy`
 */
export async function initRelease(
  context: Context,
  project: Project,
  entry: LockedServer,
  launched: readonly string[],
): Promise<ExitCode> {
  await writeSnapshot(context, entry);
  const plan = await planFile(context, await workflowOf(context, project, entry, launched), false);
  if (plan.action === "write") await writePlannedFile(context, plan);
  context.stdout.write(`wrote ${SNAPSHOT} (${itemsInWords(entry)})\n`);
  printFiles(context, [plan]);
  const badge = `https://github.com/<owner>/<repository>/actions/workflows/${WORKFLOW}`;
  const steps = [
    `add the badge to the README: [![agentprint](${badge}/badge.svg)](${badge})`,
    ...(BUILD[project.file] === undefined ? [`add the steps that build the server to ${plan.path}`] : []),
  ];
  printSteps(context, [SNAPSHOT, plan.path], steps, 0);
  return EXIT.same;
}

/** Returns the workflow of `init` with different triggers and a different last step. */
async function workflowOf(
  context: Context,
  { file }: Project,
  { launch }: LockedServer,
  launched: readonly string[],
): Promise<PlannedFile> {
  const folder = resolve(context.cwd);
  const root = repositoryOf(folder);
  const document = parseDocument((await readTemplate("github.yml")).replace(/^# .*/, HEADING));
  document.set("name", "agentprint release");
  document.set("on", document.createNode({ pull_request: null, push: { branches: ["main"] } }));
  const steps = document.getIn(["jobs", "check", "steps"]) as YAMLSeq<YAMLMap>;
  const last = steps.items.findIndex((step) => step.get("id") === "check");
  const inside = relative(root, folder).split(sep).join("/");
  const enter = inside === "" ? "" : `cd ${commandLine([inside])}\n`;
  const command = launched.length === 0 ? "" : ` -- ${commandLine([...launched])}`;
  const line = `"$RUNNER_TEMP/agentprint/node_modules/.bin/agentprint" release --format github --also "markdown=$GITHUB_STEP_SUMMARY"`;
  const names = launch.type === "stdio" ? launch.env : [];
  const env = Object.fromEntries(names.map((name) => [name, `\${{ secrets.${name} }}`]));
  const build = BUILD[file];
  const added = [
    ...(build === undefined ? [] : [{ name: "Build the server", run: enter + build }]),
    { name: "Compare with the previous release", run: `${enter}${line}${command}\n`, ...(names.length > 0 && { env }) },
  ];
  steps.items.splice(last, 1, ...added.map((step) => document.createNode(step) as YAMLMap));
  return { path: relative(folder, `${root}/.github/workflows/${WORKFLOW}`), text: textOf(document) };
}

const HEADING =
  "# Written by `agentprint release --init`. The job fails when the version bump of this server is too small for the change of its tools,\n# or the snapshot in the repository does not match its tools.";
