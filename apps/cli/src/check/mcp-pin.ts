import { basename } from "node:path";
import type { ExitCode } from "@agentprint/findings";
import { type LockedServer, type LockFile, McpLockError } from "@agentprint/mcp-lock/lock";
import { approvedByMcpPin, type McpPinServer, parseMcpPinLock, unknownToMcpPin } from "@agentprint/mcp-lock/mcp-pin";
import { addEnvAndHeaders, targetsFromArguments } from "../clients/targets-from-arguments.ts";
import { readInput } from "../files/read-input.ts";
import { MAX_LOCK_BYTES } from "../lock/read-lock.ts";
import { withVisits } from "../options/visit-options.ts";
import { readPolicy } from "../policy/read-policy.ts";
import { isReadAsText } from "../report/report-options.ts";
import type { Context, InputContext } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import type { Project } from "../sources/source.ts";
import { printNotices } from "../terminal/notices.ts";
import { printError } from "../terminal/report-error.ts";
import { planCheck } from "../visit/visit-plan.ts";
import type { CheckRequest } from "./check-request.ts";

/**
 * Reads the servers that a lock file of mcp-pin approves, by name.
 *
 * @throws {@link CliError} `unreadable-input` when the file cannot be read, or a hash in it is wrong
 */
export async function readMcpPin(context: InputContext, file: string): Promise<ReadonlyMap<string, McpPinServer>> {
  const text = new TextDecoder().decode(await readInput(context, file, MAX_LOCK_BYTES));
  return trusted(file, () => parseMcpPinLock(text));
}

/** Returns the entry as mcp-pin's file approves it. */
export function approvedEntry(entry: LockedServer, approved: McpPinServer, file: string): LockedServer {
  return trusted(file, () => approvedByMcpPin(entry, approved));
}

/** Compares servers with a lock file of mcp-pin, and reports what the file cannot show. */
export async function checkMcpPin(
  context: Context,
  { servers, launched, launch, config, output }: CheckRequest,
): Promise<ExitCode> {
  const file = launch.lock;
  const approved = await readMcpPin(context, file);
  const policy = await readPolicy(context, { lock: file, config });
  const given = await targetsFromArguments(
    context,
    launch,
    launched,
    () => servers[0] ?? [...approved.keys()][0] ?? "",
  );
  const selected = servers.length === 0 ? given : given.filter(({ name }) => servers.includes(name));
  if (selected.length === 0) {
    throw new CliError(
      "usage",
      `${basename(file)} has no launch of ${[...approved.keys()].join(", ") || "any server"}`,
      {
        expected: "a configuration or a command that starts its servers",
        fix: `agentprint check --lock ${file} --mcp-config .mcp.json`,
      },
    );
  }
  const targets = addEnvAndHeaders(context, selected, launch);
  const { answersByName, visitServers } = await import("../visit/visit-servers.ts");
  const visiting = withVisits(context, {}, policy.settings.visits);
  const visits = await visitServers(context, targets, visiting, () => planCheck(undefined, visiting));
  const { checkLock, createLock, LOCK_VERSION, lockServer } = await import("@agentprint/mcp-lock");
  const found = answersByName(visits);
  const entries = visits.flatMap((visit) => {
    const own = approved.get(visit.name);
    return own && "answers" in visit ? [approvedEntry(lockServer(visit.name, visit.answers), own, file)] : [];
  });
  const lock: LockFile = entries.length > 0 ? { lockVersion: LOCK_VERSION, servers: entries } : createLock({});
  const [{ collectFindings, visitsOf }, { judge }, { writeReport }] = await Promise.all([
    import("./collect.ts"),
    import("./judge.ts"),
    import("../report/write-report.ts"),
  ]);
  const compared = visitsOf(checkLock(lock, found, { only: targets.map(({ name }) => name) }), { lockFile: file });
  const judgement = { policy, weakened: [], strengthened: [] };
  // The file belongs to no agentprint project: there is neither a policy nor a configuration, and nothing can be approved.
  const states: Project = { context, file, lock, scope: "states", names: servers, judgement };
  const { report } = judge(states, compared, await collectFindings(states, compared));
  const exitCode = await writeReport(context, report, { ...output, lock: file });
  for (const visit of visits) if ("error" in visit) printError(context, visit.error, visit.name, isReadAsText(output));
  printNotices(context, [
    ...limitsOf(file, approved),
    ...unvisited(
      approved,
      targets.map(({ name }) => name),
    ),
  ]);
  return exitCode;
}

function limitsOf(file: string, approved: ReadonlyMap<string, McpPinServer>): string[] {
  const gaps = new Set([...approved.values()].flatMap(unknownToMcpPin));
  return [`${basename(file)} of mcp-pin does not contain ${[...gaps].join(", ")}: these were not compared`];
}

function unvisited(approved: ReadonlyMap<string, McpPinServer>, visited: readonly string[]): string[] {
  const left = [...approved.keys()].filter((name) => !visited.includes(name));
  return left.length === 0 ? [] : [`not checked, because nothing here starts them: ${left.join(", ")}`];
}

function trusted<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof McpLockError)) throw error;
    throw new CliError("unreadable-input", `${file} cannot be trusted: ${error.message}`, {
      where: file,
      expected: "the lock file as mcp-pin wrote it",
      fix: `restore it from version control, or rewrite it with mcp-pin (${error.code})`,
    });
  }
}
