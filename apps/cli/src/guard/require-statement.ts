import type { LockedServer } from "@agentprint/mcp-lock/lock";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { proveAuthors } from "../statement/author-statements.ts";
import { commandLine } from "../terminal/command-line.ts";
import { printNotices } from "../terminal/notices.ts";
import type { LoadedLock } from "./load-lock.ts";

/**
 * Verifies the author's statement about a server against its entry, which the guard enforces, and prints what is wrong with it.
 *
 * @param file The path of the lock
 * @param isAgain Whether the statement was verified before, so that only a refusal is printed
 * @throws {@link CliError} `statement-refused` if the policy requires a statement, and none is valid
 */
export async function requireStatement(
  context: Context,
  entry: LockedServer,
  { lock, policy }: Pick<LoadedLock, "lock" | "policy">,
  { lock: file, dryRun, isAgain }: { readonly lock: string; readonly dryRun: boolean; readonly isAgain: boolean },
): Promise<void> {
  const { name } = entry;
  const { findings } = await proveAuthors(context, [{ served: entry, locked: entry }], { policy, file, lock });
  const lines = findings.map(({ rule, message }) => `${name}: ${message} (${rule})`);
  const isRefused = policy.statements?.[name]?.required && findings.some(({ level }) => level === "error");
  if (!isRefused || dryRun) {
    if (!isAgain) printNotices(context, lines);
    return;
  }
  throw new CliError("statement-refused", `the policy requires a statement about ${name}, and none is valid`, {
    where: lines.join("\n"),
    expected: "a statement about the pinned server, signed with one of the policy's keys",
    fix: `see what differs: ${commandLine(["agentprint", "check", name])}`,
  });
}
