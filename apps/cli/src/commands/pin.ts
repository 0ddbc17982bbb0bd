import {
  createLock,
  type LockedServer,
  type LockFile,
  lockServer,
  McpLockError,
  type ServerSnapshot,
  withServer,
} from "@agentprint/mcp-lock";
import { escapeText } from "@agentprint/report";
import { type Command, Option } from "commander";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-code.ts";
import { approveLine } from "../launch/approve-line.ts";
import { commandAfterDashes, givenStarts } from "../launch/choose-starts.ts";
import { passOn } from "../launch/pass-on.ts";
import { updateLock } from "../lock/lock-store.ts";
import { positiveInteger } from "../options.ts";
import { colorsFor } from "../terminal/color.ts";
import { commandLine } from "../terminal/command-line.ts";
import { addExamples } from "../terminal/examples.ts";
import { printError } from "../terminal/report-error.ts";
import { addVisitOptions, type VisitOptions } from "../visit-options.ts";

interface PinOptions extends VisitOptions {
  readonly name?: string;
  readonly replace: boolean;
  readonly concurrency: number;
  readonly format: "text" | "json";
}

export function registerPin(program: Command): void {
  const command = program
    .command("pin")
    .description("Start a server, take everything it offers, and write it to the lock file")
    .usage(
      "[options] -- command...\n       agentprint pin [options] --url <url>\n       agentprint pin [options] --config <file>",
    )
    .argument("[command...]", "after --: the command that starts the server, with its arguments")
    .option("-n, --name <name>", "name in the lock file; with --config, the one server to pin")
    .option("--replace", "take the new state of a server that is already pinned, without showing the difference", false)
    .option("--concurrency <n>", "servers asked at the same time", positiveInteger, 4)
    .addOption(
      new Option("--format <format>", "how to print what was pinned").choices(["text", "json"]).default("text"),
    )
    .action(async (operands: string[], options: PinOptions) => {
      const launched = commandAfterDashes(command);
      if (operands.length !== launched.length) {
        throw new CliError("usage", "the command of the server comes after --", {
          expected: "agentprint pin [options] -- command…",
          fix: commandLine(["agentprint", "pin", "--", ...operands]),
        });
      }
      process.exitCode = await pin(launched, options);
    });
  addVisitOptions(command);
  addExamples(command, [
    ["agentprint pin -- npx -y @modelcontextprotocol/server-filesystem@2026.7.4 .", "a server over stdio"],
    ["agentprint pin --name github --env GITHUB_TOKEN -- github-mcp-server stdio", "with one variable passed on"],
    ["agentprint pin --url https://mcp.example.com/mcp --header AUTHORIZATION", "over streamable HTTP"],
    ["agentprint pin --config .vscode/mcp.json", "every server of a client's configuration"],
    ["agentprint pin --capabilities sampling,roots -- node server.js", "as a client with these capabilities sees it"],
  ]);
}

async function pin(launched: readonly string[], options: PinOptions): Promise<number> {
  const given = await givenStarts(options, launched, options.name);
  const starts = passOn(
    options.name === undefined ? given : given.filter((start) => start.name === options.name),
    options,
  );
  if (starts.length === 0)
    throw nothingToPin(
      options,
      given.map((start) => start.name),
    );

  const { visitAll } = await import("../visit/visit-all.ts");
  const visits = await visitAll(starts, options.concurrency, options, () => options.capabilities ?? {});
  const failures = visits.filter((visit) => "error" in visit);
  for (const { name, error } of failures) printError(error, name);
  // All or nothing: a lock with half of a configuration would look complete.
  if (failures.length > 0) return EXIT.unknown;

  const snapshots = visits.filter((visit) => "snapshot" in visit);
  const entries = snapshots.map(({ name, snapshot }) => entryOf(name, snapshot));
  const drifted: string[] = [];
  await updateLock(options.lock, (before) => {
    const pinned = new Map(before?.servers.map((server) => [server.name, server.digest]));
    drifted.push(
      ...entries.filter(({ name, digest }) => (pinned.get(name) ?? digest) !== digest).map(({ name }) => name),
    );
    if (drifted.length > 0 && !options.replace && before) return before;
    return snapshots.reduce<LockFile>(
      (lock, { name, snapshot }) => withServer(lock, name, snapshot),
      before ?? createLock({}),
    );
  });
  if (drifted.length > 0 && !options.replace) {
    const [start] = starts.filter(({ name }) => drifted.includes(name));
    printError(alreadyPinned(drifted, options.lock, start && approveLine(start, options, launched)));
    return EXIT.difference;
  }
  printPinned(entries, options);
  return EXIT.fine;
}

function entryOf(name: string, snapshot: ServerSnapshot): LockedServer {
  try {
    return lockServer(name, snapshot);
  } catch (error) {
    if (!(error instanceof McpLockError)) throw error;
    throw new CliError("server-garbage", `what ${name} offers cannot be pinned: ${error.message}`, {
      expected: "items with one name each, as objects that have a canonical form",
      fix: `report it to the author of the server (${error.code})`,
    });
  }
}

function printPinned(entries: readonly LockedServer[], { lock, format }: PinOptions): void {
  if (format === "json") {
    const servers = entries.map(({ name, digest, toolsDigest, tools, prompts, resources, resourceTemplates }) => ({
      name,
      digest,
      toolsDigest,
      tools: tools.length,
      prompts: prompts.length,
      resources: resources.length,
      resourceTemplates: resourceTemplates.length,
    }));
    process.stdout.write(`${JSON.stringify({ lock, servers })}\n`);
    return;
  }
  const { bold, dim, green } = colorsFor(process.stdout);
  for (const { name, toolsDigest, tools, prompts, resources, resourceTemplates } of entries) {
    const lists = { tool: tools, prompt: prompts, resource: resources, "resource template": resourceTemplates };
    const counts = Object.entries(lists)
      .filter(([noun, { length }]) => length > 0 || noun === "tool")
      .map(([noun, { length }]) => `${length} ${noun}${length === 1 ? "" : "s"}`);
    process.stdout.write(`${green("pinned")} ${bold(escapeText(name))} ${counts.join(", ")}\n`);
    process.stdout.write(`  ${dim(`tools ${toolsDigest}`)}\n`);
  }
  process.stdout.write(`${dim(`in ${escapeText(lock)}; commit it, and run agentprint check before each release`)}\n`);
}

function nothingToPin({ config, name }: PinOptions, found: readonly string[]): CliError {
  if (config === undefined) {
    return new CliError("usage", "there is no server to pin", {
      expected: "a command after --, --url <url>, or --config <file>",
      fix: "agentprint pin -- npx -y @modelcontextprotocol/server-filesystem .",
    });
  }
  return new CliError("usage", name === undefined ? `${config} has no servers` : `${config} has no server ${name}`, {
    expected: name === undefined ? "at least one server" : `one of ${found.join(", ") || "no server"}`,
  });
}

function alreadyPinned(names: readonly string[], lock: string, approve: string | undefined): CliError {
  return new CliError("already-pinned", `${names.join(", ")}: pinned before, and different now; ${lock} is unchanged`, {
    fix: `see what changed and take it with ${approve} (or pin --replace)`,
  });
}
