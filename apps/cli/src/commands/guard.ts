import type { Recording } from "@agentprint/guard-proxy";
import type { LockedServer } from "@agentprint/mcp-lock/lock";
import { type Command, Option } from "commander";
import { splitAtDashes } from "../clients/targets-from-arguments.ts";
import type { GuardEnd } from "../guard/guard-end.ts";
import type { GuardCommandOptions } from "../guard/guard-options.ts";
import { type GuardedServer, guardedTarget, noticeCoverage, requirePinnedFiles } from "../guard/guarded-target.ts";
import { type LoadedLock, loadLock } from "../guard/load-lock.ts";
import { TOKEN } from "../guard/own-token.ts";
import { refuseUnpinned } from "../guard/pending.ts";
import { DEFAULT_LOCK } from "../lock/read-lock.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { commandLine } from "../terminal/command-line.ts";
import type { Examples } from "../terminal/examples.ts";
import { collect, hostAndPort, secondsFromZero } from "../terminal/option-parsers.ts";

export const examples: Examples = [
  ["agentprint guard files", "instead of the command of the server files: stdio to stdio"],
  ["agentprint guard files -- node server.js .", "the same; refused if a different command is pinned"],
  ["agentprint guard --http 127.0.0.1:4000 files github", "streamable HTTP: /files and /github"],
  ["agentprint guard --http 127.0.0.1:4000 --login github", "with your login; clients present a guard token"],
  ["agentprint guard files --dry-run --record", "decide and record, but change nothing"],
  ["agentprint guard log", "show what was recorded, and what was refused"],
];

export function define(command: Command): void {
  command
    .usage("[options] <server...> [-- command...]\n       agentprint guard [options] log")
    .argument("[server...]", "names in the lock file; one without --http; after --: the command to start")
    .option("-l, --lock <file>", "the lock file", DEFAULT_LOCK)
    .option("--http <host:port>", "serve streamable HTTP, each server at the path of its name", hostAndPort)
    .option("--login", "reach servers at addresses with your logins; clients present a guard token", false)
    .option("--pass-through <server>", "give this server the Authorization of its clients; repeatable", collect, [])
    .option("--policy <file>", "the configuration of agentprint, which holds the policy (default: next to the lock)")
    .option("--fail-open", "if the guard itself fails, let messages through instead of refusing them", false)
    .option("--dry-run", "decide and record, but change nothing", false)
    .addOption(
      new Option("--recheck <seconds>", "how long a verified list stays valid; 0: each call is verified")
        .argParser(secondsFromZero)
        .default(60_000, "60"),
    )
    .addOption(
      new Option(
        "--screen <mode>",
        "results with terminal escapes or invisible characters (default: as the policy says)",
      ).choices(["off", "warn", "withhold"]),
    )
    .option("--record [store]", "record what happens in this folder or store (default: a folder of the user)")
    .option("--record-key <file>", "the secret by which readers recognize what the guard wrote (default: the user's)")
    .addOption(
      new Option("--record-mode <mode>", "record after a call, or before it proceeds")
        .choices(["behind", "before"])
        .default("behind"),
    )
    .option(
      "--content-keys <folder>",
      "record arguments and results, encrypted with a key of the session in this folder",
    )
    .option("--otel", "send a span for each request to the collector that OTEL_EXPORTER_OTLP_ENDPOINT names", false)
    .option("--checkpoint-to <target>", "send signed checkpoints of the record to this folder or URL")
    .option("--origin <name>", "the name of the log in its checkpoints")
    .option("--key-file <file>", "the key of the log, which agentprint trail keygen wrote")
    .addOption(new Option("--format <format>", "format of the log").choices(["text", "json"]).default("text"));
}

export async function run(
  context: Context,
  operands: readonly string[],
  options: GuardCommandOptions,
  command: Command,
): Promise<number> {
  const { servers, launched } = splitAtDashes(command, operands);
  if (servers.length === 1 && servers[0] === "log" && launched.length === 0) {
    const { printLog } = await import("../guard/guard-log.ts");
    return printLog(context, options);
  }
  if (servers.length === 0 || (options.http === undefined && servers.length > 1)) {
    throw new CliError("usage", "name the server that is guarded", {
      expected: "agentprint guard <server>, or with --http one or more servers",
    });
  }
  requireOneAuthorization(context, servers, options);
  const loaded = await loadLock(context, options);
  const guarded = [];
  for (const name of new Set(servers)) guarded.push(await openServer(context, name, launched, loaded, options));
  const [only] = guarded;
  if (options.http === undefined && only?.target.type !== "stdio") {
    throw new CliError("usage", `${servers[0]} is reached at an address`, {
      expected: "a server that is started as a command",
      fix: commandLine(["agentprint", "guard", "--http", "127.0.0.1:4000", servers[0] as string]),
    });
  }
  const [{ openRecording }, { StateKeeper }, { RefusalLog }, { withObservers }] = await Promise.all([
    import("../guard/record.ts"),
    import("../guard/keep-state.ts"),
    import("../guard/refusal-log.ts"),
    import("../guard/observer.ts"),
  ]);
  const tracing = options.otel ? [await (await import("../guard/open-tracing.ts")).openTracing(context, options)] : [];
  const observers = [new StateKeeper(context, options), new RefusalLog(context, options), ...tracing];
  const recording = withObservers(await openRecording(context, options), observers);
  let signal: NodeJS.Signals | undefined;
  try {
    const end = await guardAll(context, guarded, loaded, options, recording);
    signal = end.signal;
    return end.exitCode;
  } finally {
    await recording.close();
    if (signal !== undefined) context.signals?.raise(signal);
  }
}

/** Requires the header `Authorization` to have one meaning: the guard's token, or a passed-through value. */
function requireOneAuthorization(
  { env }: Context,
  servers: readonly string[],
  { http, login, passThrough }: GuardCommandOptions,
): void {
  const unknown = passThrough.find((name) => !servers.includes(name));
  const isOwn = login || (env[TOKEN] ?? "") !== "";
  const isUsable = http !== undefined || (!login && passThrough.length === 0);
  if (unknown === undefined && isUsable && !(isOwn && passThrough.length > 0)) return;
  throw new CliError("usage", "the guard cannot use Authorization in this way", {
    where: passThrough.length > 0 ? "--pass-through" : "--login",
    expected: `--http, and --pass-through with the name of a guarded server, not with --login, nor when ${TOKEN} is set`,
  });
}

async function guardAll(
  context: Context,
  guarded: readonly GuardedServer[],
  loaded: LoadedLock,
  options: GuardCommandOptions,
  recording: Recording,
): Promise<GuardEnd> {
  const { http } = options;
  if (http !== undefined) {
    const { guardHttp } = await import("../guard/http-guard.ts");
    return guardHttp(context, guarded, loaded, { ...options, http }, recording);
  }
  const { guardStdio } = await import("../guard/stdio-guard.ts");
  return guardStdio(context, guarded[0] as GuardedServer, loaded, options, recording);
}

async function openServer(
  context: Context,
  name: string,
  launched: readonly string[],
  loaded: LoadedLock,
  { lock: file, dryRun, passThrough }: GuardCommandOptions,
): Promise<GuardedServer> {
  const { lock, policy } = loaded;
  const entry = lock.servers.find((each) => each.name === name);
  if (entry === undefined) return refuseUnpinned(context, name, launched, file);
  const targetOf = (each: LockedServer) => guardedTarget(context, each, launched, file);
  const requireFiles: GuardedServer["requireFiles"] = async (each, target, loaded) => {
    if (target.type === "stdio")
      await requirePinnedFiles(context, each, target, { lock: file, policy: loaded.policy, dryRun });
  };
  const proveStatement = async (each: LockedServer, by: LoadedLock, isAgain: boolean): Promise<void> => {
    if (by.policy.statements === undefined || !Object.hasOwn(by.policy.statements, name)) return;
    const { requireStatement } = await import("../guard/require-statement.ts");
    await requireStatement(context, each, by, { lock: file, dryRun, isAgain });
  };
  const target = await targetOf(entry);
  // A server that cannot be started is reported before a client connects.
  await requireFiles(entry, target, { policy });
  noticeCoverage(context, entry);
  await proveStatement(entry, loaded, false);
  const requireStatement: GuardedServer["requireStatement"] = (each, by) => proveStatement(each, by, true);
  const passesAuthorization = passThrough.includes(name);
  return { entry, target, launched, passesAuthorization, targetOf, requireStatement, requireFiles };
}
