import { EXIT, type ExitCode, escapeText } from "@agentprint/report";
import { type Command, Option } from "commander";
import { addClientOptions, type ClientOptions, selectClients, selectScopes } from "../clients/select-clients.ts";
import type { Context } from "../context.ts";
import { readState } from "../guard/state-file.ts";
import { findServers } from "../init/find-servers.ts";
import { formatJson } from "../json/format-json.ts";
import { DEFAULT_LOCK, readLockIfPresent } from "../lock/read-lock.ts";
import type { Examples } from "../terminal/examples.ts";
import { printError } from "../terminal/report-error.ts";

interface DoctorOptions extends ClientOptions {
  readonly lock: string;
  readonly format: "text" | "json";
}

/** What is said of an entry of a configuration. */
interface Diagnosis {
  readonly server: string;
  readonly config: string;
  readonly isGuarded: boolean;
  readonly isPinned: boolean;
  /** The tools of which the client is given the locked definition. */
  readonly frozen: readonly string[];
  /** The tools that the guard takes out. */
  readonly blocked: readonly string[];
}

export const examples: Examples = [
  ["agentprint doctor", "which servers of your clients are not behind the guard, and what is frozen"],
  ["agentprint doctor --scope project --format json", "the same for the project, for scripts"],
];

export function define(command: Command): void {
  addClientOptions(command)
    .option("-l, --lock <file>", "the lock file", DEFAULT_LOCK)
    .addOption(new Option("--format <format>", "format of the output").choices(["text", "json"]).default("text"));
}

export async function run(context: Context, options: DoctorOptions): Promise<ExitCode> {
  const clients = selectClients(options);
  const files = options.mcpConfig;
  const found = await findServers(context, process.platform, { clients, scopes: selectScopes(options), files });
  for (const problem of found.problems) printError(context, problem);
  const pinned = new Set((await readLockIfPresent(context, options.lock))?.lock.servers.map(({ name }) => name));
  const state = await readState(context, options.lock);
  const diagnoses = found.servers.flatMap(({ name, places }) =>
    places.map(({ file, guardedAs }): Diagnosis => {
      const server = guardedAs ?? name;
      const tools = Object.entries(state?.servers[server]?.tools ?? {});
      const toolsThat = (wanted: string) => tools.flatMap(([tool, found]) => (found === wanted ? [tool] : []));
      return {
        server,
        config: file,
        isGuarded: guardedAs !== undefined,
        isPinned: pinned.has(server),
        frozen: toolsThat("freeze"),
        blocked: toolsThat("block"),
      };
    }),
  );
  if (options.format === "json") context.stdout.write(formatJson({ lock: options.lock, servers: diagnoses }));
  else printDiagnoses(context, diagnoses);
  if (found.problems.length > 0) return EXIT.unknown;
  return diagnoses.every(({ isGuarded, isPinned }) => isGuarded && isPinned) ? EXIT.same : EXIT.drift;
}

function printDiagnoses(context: Context, diagnoses: readonly Diagnosis[]): void {
  const { stdout } = context;
  const { bold, dim, green, yellow } = context.colorsOf(stdout);
  if (diagnoses.length === 0) stdout.write("No configuration of a client has a server.\n");
  for (const { server, config, isGuarded, isPinned, frozen, blocked } of diagnoses) {
    const state = isGuarded ? green("guarded") : yellow("not guarded");
    const lock = isPinned ? "" : yellow(isGuarded ? " and not pinned: the guard does not start it" : ", not pinned");
    stdout.write(`${bold(escapeText(server))} ${state}${lock} ${dim(escapeText(config))}\n`);
    if (frozen.length > 0) stdout.write(`  frozen: ${escapeText(frozen.join(", "))}\n`);
    if (blocked.length > 0) stdout.write(`  blocked: ${escapeText(blocked.join(", "))}\n`);
  }
  const open = new Set(diagnoses.filter(({ isGuarded }) => !isGuarded).map(({ config }) => config));
  if (open.size > 0) {
    stdout.write(dim(`To guard them: agentprint wrap, with --mcp-config <file> or --client <id>\n`));
  }
}
