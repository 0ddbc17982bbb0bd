import { resolve } from "node:path";
import type { ExitCode } from "@agentprint/findings";
import { escapeText } from "@agentprint/report";
import type { Command } from "commander";
import { addClientOptions } from "../clients/select-clients.ts";
import { recognizeGuard } from "../clients/wrapped-state.ts";
import { DEFAULT_LOCK, readLockIfPresent } from "../lock/read-lock.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";
import { printNotices } from "../terminal/notices.ts";
import { hostAndPort } from "../terminal/option-parsers.ts";
import { planWrap } from "../wrap/plan-wrap.ts";
import { addWrapOptions, selectedServers, type WrapSelection, writePlan } from "../wrap/run-wrap.ts";

interface WrapOptions extends WrapSelection {
  readonly lock: string;
  readonly http?: string;
}

export const examples: Examples = [
  ["agentprint wrap --mcp-config .mcp.json", "the guard in front of every server of this file"],
  ["agentprint wrap --client cursor --dry-run", "what would change in the files of Cursor"],
  ["agentprint wrap --all --http 127.0.0.1:4000", "every client; servers at an address behind agentprint guard --http"],
];

export function define(command: Command): void {
  addWrapOptions(addClientOptions(command))
    .option("-l, --lock <file>", "the lock file, as the configuration should name it (default: its absolute path)")
    .option("--http <host:port>", "where agentprint guard --http answers for servers at an address", hostAndPort);
}

export async function run(
  context: Context,
  given: Omit<WrapOptions, "lock"> & { readonly lock?: string },
): Promise<ExitCode> {
  const lock = given.lock ?? resolve(context.pathOf(DEFAULT_LOCK));
  const recognize = await recognizeGuard(context, lock, given.http === undefined ? [] : [given.http]);
  const found = await selectedServers(context, given, { recognize, includeOff: false });
  const pinned = (await readLockIfPresent(context, lock))?.lock.servers.map(({ name }) => name) ?? [];
  const plan = await planWrap(found.servers, {
    lock,
    recognize,
    ...(given.all && { only: new Set(pinned) }),
    ...(given.http !== undefined && { http: given.http }),
  });
  const names = [...new Set(plan.changed.map(({ name }) => name))].filter((name) => !pinned.includes(name));
  const exitCode = await writePlan(context, plan, found, { dryRun: given.dryRun, words: "guarded", lock });
  if (names.length > 0) {
    const noted = `not pinned in ${escapeText(lock)} yet, so the guard starts none of them: ${names.map(escapeText).join(", ")}`;
    printNotices(context, [
      `${noted}; pin them with agentprint init, or review each with agentprint approve --pending`,
    ]);
  }
  return exitCode;
}
