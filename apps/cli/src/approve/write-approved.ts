import { escapeText } from "@agentprint/canonical-json/text";
import {
  LOCK_VERSION,
  type LockedKeys,
  type LockedStatement,
  type LockFile,
  withAuthorKeys,
  withServer,
} from "@agentprint/mcp-lock";
import { type PlannedFile, planFile, writePlannedFile } from "../files/planned-file.ts";
import { updateLock } from "../lock/update-lock.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { withNewerStatements } from "../statement/newer-statements.ts";
import type { Candidate } from "./candidate.ts";

/** The files and statements that are written with approved entries. */
export interface ApprovedBeside {
  /** The configurations that name the approved versions. */
  readonly edited?: readonly PlannedFile[];
  /** The valid statements, including those about servers that are not approved. */
  readonly statements?: readonly LockedStatement[];
  /** The updates to authors' keys, including those for other servers. */
  readonly keys?: readonly LockedKeys[];
  /** The servers in their pinned state, whose statements are kept without asking. */
  readonly unchanged?: readonly Candidate[];
}

/**
 * Writes the new entries of servers to the lock in one write, if the current entries have not changed since the
 * differences were shown.
 *
 * @param file The path of the lock
 * @throws {@link CliError} `not-reviewed` when another writer changed one of the entries; otherwise as updateLock does
 */
export async function writeApproved(
  context: Context,
  accepted: readonly Candidate[],
  file: string,
  { edited = [], statements = [], keys = [], unchanged = [] }: ApprovedBeside = {},
): Promise<void> {
  await keepStatements(context, unchanged, file, statements);
  if (accepted.length === 0) return;
  await updateLock(context, file, (current) => {
    const replaced = current ?? { lockVersion: LOCK_VERSION, servers: [] };
    const digests = new Map(replaced.servers.map(({ name, digest }) => [name, digest]));
    for (const { before } of accepted)
      if (digests.get(before.name) !== before.digest) throw changedMeanwhile(before.name);
    const names = accepted.map(({ after }) => after.name);
    const isApproved = ({ server }: { readonly server: string }) => names.includes(server);
    const lock = accepted.reduce<LockFile>((lock, { after }) => withServer(lock, after), replaced);
    return withAuthorKeys(withNewerStatements(lock, statements.filter(isApproved)), keys.filter(isApproved));
  });
  for (const each of edited) await writePlannedFile(context, await planFile(context, each, true));
  for (const { after } of accepted) {
    context.stderr.write(`approved ${escapeText(after.name)}: ${escapeText(file)} has digest ${after.digest}\n`);
  }
}

/**
 * Writes the valid statements about servers in their pinned state to the lock, so that an older statement counts as
 * replayed from now on.
 *
 * @param file The path of the lock
 * @throws {@link CliError} as updateLock does
 */
async function keepStatements(
  context: Context,
  unchanged: readonly Candidate[],
  file: string,
  held: readonly LockedStatement[],
): Promise<void> {
  const pinned = new Map(unchanged.map(({ before: { name, digest } }) => [name, digest]));
  const about = held.filter(({ server }) => pinned.has(server));
  if (about.length === 0) return;
  const kept: LockedStatement[] = [];
  await updateLock(context, file, (current) => {
    if (current === undefined) throw goneMeanwhile(file);
    const same = new Set(
      current.servers.filter(({ name, digest }) => pinned.get(name) === digest).map(({ name }) => name),
    );
    const lock = withNewerStatements(
      current,
      about.filter(({ server }) => same.has(server)),
    );
    kept.push(...about.filter((each) => lock !== current && lock.statements?.includes(each)));
    return lock;
  });
  for (const { server, version } of kept) {
    context.stderr.write(
      `kept the statement about ${escapeText(server)} ${escapeText(version)} in ${escapeText(file)}\n`,
    );
  }
}

function goneMeanwhile(file: string): CliError {
  return new CliError("not-reviewed", `another program removed ${file} after the visit began`, {
    fix: "pin the servers again",
  });
}

function changedMeanwhile(name: string): CliError {
  return new CliError(
    "not-reviewed",
    `another writer changed the entry of ${name} after the visit began; the lock keeps that change`,
    { fix: "review the new state with agentprint check, and approve again" },
  );
}
