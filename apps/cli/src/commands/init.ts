import { isAbsolute } from "node:path";
import { EXIT, type ExitCode } from "@agentprint/findings";
import { type Command, Option } from "commander";
import { printFindings } from "../check/pin-result.ts";
import { type FoundServers, findServers } from "../clients/find-servers.ts";
import { addClientOptions, type ClientOptions, selectClients, selectScopes } from "../clients/select-clients.ts";
import { recognizeGuard } from "../clients/wrapped-state.ts";
import { exactVersions } from "../compare-configs/exact-versions.ts";
import { othersOf } from "../compare-configs/project-folder.ts";
import { withSourcesOf } from "../compare-configs/sources-of.ts";
import { type FilePlan, type PlannedFile, planFile, writePlannedFile } from "../files/planned-file.ts";
import { chooseServers } from "../init/choose-servers.ts";
import { CI_SERVICES, type CiService, ciFiles } from "../init/ci-files.ts";
import { CONFIG_FILE } from "../init/config-file.ts";
import { configsToCommit } from "../init/configs-to-commit.ts";
import { visitFound, withNewEntries } from "../init/pin-found.ts";
import { printChange, printDryRun, printFiles, printFound, printSteps } from "../init/print-init.ts";
import { printTable } from "../init/print-table.ts";
import { tellFound } from "../init/tell-found.ts";
import { newLock } from "../lock/new-lock.ts";
import { DEFAULT_LOCK, readLockIfPresent } from "../lock/read-lock.ts";
import { updateLock } from "../lock/update-lock.ts";
import { addLockOption, addSettingsHelp, withVisits } from "../options/visit-options.ts";
import { readPolicy } from "../policy/read-policy.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { canAsk } from "../terminal/ask.ts";
import { confirm } from "../terminal/confirm.ts";
import type { Examples } from "../terminal/examples.ts";

interface InitOptions extends ClientOptions {
  readonly lock: string;
  readonly ci?: CiService;
  readonly yes: boolean;
  readonly pinVersions: boolean;
  readonly force: boolean;
  readonly dryRun: boolean;
}

export const examples: Examples = [
  ["agentprint init", "find the servers of every client, and ask which to pin"],
  ["agentprint init --yes --scope project", "pin all servers that the project configures, without asking"],
  ["agentprint init --yes --pin-versions", "the same, with exact versions written into the configurations"],
  ["agentprint init --client cursor --client codex", "only the servers of these clients"],
  ["agentprint init --mcp-config servers.json --dry-run", "what would be written for the servers of this file"],
  [
    "agentprint init --ci gitlab --force --lock tools/agentprint.lock",
    "with a new CI file for GitLab, and a different lock",
  ],
];

export function define(command: Command): void {
  addClientOptions(command)
    .addOption(new Option("--ci <service>", "whose file is written (default: the repository's)").choices(CI_SERVICES))
    .option("-y, --yes", "pin all servers that were found, without asking", false)
    .option(
      "--pin-versions",
      "write exact versions into launches that fetch the newest, as npm and uv name them, without asking",
      false,
    )
    .option("--force", "replace an existing configuration or CI file that differs, without asking", false)
    .option("--dry-run", "visit the servers and show what would be written", false);
  addLockOption(command);
  addSettingsHelp(command);
}

export async function run(context: Context, options: InitOptions): Promise<ExitCode> {
  const { mcpConfig: files } = options;
  const found = await findServers(context, process.platform, {
    clients: selectClients(options),
    scopes: selectScopes(options),
    files,
    recognize: await recognizeGuard(context, options.lock),
    merge: "scope",
    startedBy: [],
    ...(options.scope !== "user" && { others: await othersOf(context, options.lock) }),
  });
  const before = (await readLockIfPresent(context, options.lock))?.lock;
  const pinned = new Set(before?.servers.map(({ name }) => name));
  printFound(context, found, pinned);
  tellFound(context, found);
  if (found.servers.length === 0 && before === undefined) throw nothingFound(found);

  const open = found.servers.filter(({ name }) => !pinned.has(name));
  const chosen = open.length === 0 || options.yes ? open : await chooseServers(context, open, givenOptions(options));
  const versions = await exactVersions(context, chosen, options);
  const configured = await readPolicy(context, { lock: options.lock });
  const visiting = withVisits(context, { lock: options.lock }, configured.settings.visits);
  const { entries, answers, failures } = await visitFound(context, versions.servers, visiting, configured);
  const after = withNewEntries(before, entries);
  // Without a lock, a check in a CI service could only fail.
  const isPinned = after.servers.length > 0;
  const service = isPinned ? options.ci : "none";
  const ci = await ciFiles(context, after, found.servers, { lockFile: options.lock, service });
  const written = isPinned ? [CONFIG_FILE, ...ci.files] : [];
  const plans: FilePlan[] = [];
  for (const file of versions.files) plans.push(await planFile(context, file, true));
  for (const file of written) plans.push(await planOrAsk(context, file, options));

  if (options.dryRun) {
    printDryRun(context, entries, options.lock, plans);
  } else {
    for (const plan of plans) if (plan.action === "write") await writePlannedFile(context, plan);
    if (isPinned) {
      // A new lock accepts the policy in the configuration that was just written.
      const empty = await newLock(await readPolicy(context, { lock: options.lock }));
      await updateLock(context, options.lock, (lock) =>
        withSourcesOf(context, withNewEntries(lock ?? empty, entries), options.lock, found.servers),
      );
    }
    printTable(context, { found: found.servers, before, entries, failures });
    printFiles(context, plans);
    const edited = versions.files.flatMap(({ path }) => (isAbsolute(path) ? [] : [path]));
    const { files: configs, steps } = await configsToCommit(context, found.servers);
    const configured = [...new Set([...edited, ...configs])];
    const files = isPinned ? [options.lock, ...configured, ...written.map(({ path }) => path)] : [];
    printSteps(context, files, [...steps, ...ci.steps], failures.length);
    const configsOf = (name: string) =>
      versions.servers.flatMap((server) => (server.name === name ? server.places.map(({ file }) => file) : []));
    if (entries.length > 0) await printFindings(context, entries, answers, { lock: options.lock, configsOf });
  }
  const isWhole = found.problems.length + versions.failed === 0 && entries.length === chosen.length;
  return isWhole ? EXIT.same : EXIT.unknown;
}

/** Returns the plan for a file that `init` writes; asks before an existing file with different text is replaced. */
async function planOrAsk(
  context: Context,
  file: PlannedFile,
  { force, yes, dryRun }: Pick<InitOptions, "force" | "yes" | "dryRun">,
): Promise<FilePlan> {
  const plan = await planFile(context, file, force);
  if (plan.action !== "keep" || yes || dryRun || !canAsk(context)) return plan;
  printChange(context, plan, context.stderr);
  const isAgreed = await confirm(context, `${file.path} differs from what init writes. Replace it?`, false);
  return isAgreed ? { ...plan, action: "write" } : plan;
}

function givenOptions({ client, scope, mcpConfig, lock, ci, force, pinVersions: isExact }: InitOptions): string[] {
  return [
    ...client.flatMap((id) => ["--client", id]),
    ...(scope === undefined ? [] : ["--scope", scope]),
    ...mcpConfig.flatMap((file) => ["--mcp-config", file]),
    ...(lock === DEFAULT_LOCK ? [] : ["--lock", lock]),
    ...(ci === undefined ? [] : ["--ci", ci]),
    ...(force ? ["--force"] : []),
    ...(isExact ? ["--pin-versions"] : []),
  ];
}

function nothingFound({ files, lookedAt }: FoundServers): CliError {
  const what = files === 0 ? "no configuration of an MCP client was found" : "no configuration has a server in it";
  return new CliError("usage", what, {
    ...(files > 0 && { where: lookedAt.join("; ") }),
    expected: "a configuration of one of the clients in the help of --client",
    fix: "name a file with --mcp-config <file>, or pin a command: agentprint pin -- <command…>",
  });
}
