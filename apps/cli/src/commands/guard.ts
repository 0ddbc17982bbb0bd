import { type Command, Option } from "commander";
import type { Context } from "../context.ts";
import { CliError } from "../errors.ts";
import type { GuardCommandOptions } from "../guard/guard-options.ts";
import { guardedTarget, requirePinnedFiles } from "../guard/guarded-target.ts";
import type { GuardedServer } from "../guard/http-guard.ts";
import { type LoadedLock, loadLock } from "../guard/load-lock.ts";
import { refuseUnpinned } from "../guard/pending.ts";
import { splitAtDashes } from "../launch/targets-from-arguments.ts";
import { DEFAULT_LOCK } from "../lock/read-lock.ts";
import { hostAndPort, seconds } from "../option-parsers.ts";
import type { Examples } from "../terminal/examples.ts";

export const examples: Examples = [
  ["agentprint guard files", "in place of the command of the server files: stdio to stdio"],
  ["agentprint guard files -- node server.js .", "the same; refused where another command is pinned"],
  ["agentprint guard --http 127.0.0.1:4000 files github", "streamable HTTP: /files and /github"],
  ["agentprint guard files --dry-run --record trail.jsonl", "decide and record, and change nothing"],
];

export function define(command: Command): void {
  command
    .usage("[options] <server...> [-- command...]")
    .argument("[server...]", "names in the lock file; one without --http; after --: the command that is to be started")
    .option("-l, --lock <file>", "the lock file", DEFAULT_LOCK)
    .option("--http <host:port>", "answer over streamable HTTP, each server behind the path of its name", hostAndPort)
    .option("--policy <file>", "the configuration of agentprint, which holds the policy (default: beside the lock)")
    .option("--fail-open", "let through what the guard itself fails on, instead of refusing it", false)
    .option("--dry-run", "decide and record, and change nothing", false)
    .option("--recheck <seconds>", "how long a verified list counts", seconds, 60_000)
    .addOption(
      new Option("--screen <mode>", "results with terminal escapes or characters that nobody sees")
        .choices(["off", "warn", "withhold"])
        .default("off"),
    );
}

export async function run(
  context: Context,
  operands: readonly string[],
  options: GuardCommandOptions,
  command: Command,
): Promise<number> {
  const { servers, launched } = splitAtDashes(command, operands);
  if (servers.length === 0 || (options.http === undefined && servers.length > 1)) {
    throw new CliError("usage", "name the server that is guarded", {
      expected: "agentprint guard <server>, or with --http one or more servers",
    });
  }
  const loaded = await loadLock(context, options);
  const guarded = [];
  for (const name of new Set(servers)) guarded.push(await openServer(context, name, launched, loaded, options));
  if (options.http !== undefined) {
    const { guardHttp } = await import("../guard/http-guard.ts");
    return guardHttp(context, guarded, loaded, { ...options, http: options.http }, () => undefined);
  }
  const [only] = guarded;
  if (only?.target.type !== "stdio") {
    throw new CliError("usage", `${servers[0]} is reached at an address`, {
      expected: "a server that is started as a command",
      fix: `guard it over HTTP: agentprint guard --http 127.0.0.1:4000 ${servers[0]}`,
    });
  }
  const { guardStdio } = await import("../guard/stdio-guard.ts");
  return guardStdio(context, only.entry, only.target, loaded, options, () => undefined);
}

async function openServer(
  context: Context,
  name: string,
  launched: readonly string[],
  { lock, policy }: LoadedLock,
  { lock: file, dryRun }: GuardCommandOptions,
): Promise<GuardedServer> {
  const entry = lock.servers.find((each) => each.name === name);
  if (entry === undefined) return refuseUnpinned(context, name, launched, file);
  const target = await guardedTarget(context, entry, launched);
  if (target.type === "stdio") await requirePinnedFiles(context, entry, target, { policy, dryRun });
  return { entry, target };
}
