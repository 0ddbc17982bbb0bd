import type { Renames } from "@agentprint/mcp-lock";
import { judgeVersion } from "@agentprint/release";
import {
  createStatement,
  followOwnKeys,
  keyHistoryPlace,
  type OpenedStatement,
  openStatement,
  type StatementSigner,
  type StatementVerifier,
  signStatement,
} from "@agentprint/statement";
import type { Context } from "../context.ts";
import { CliError } from "../errors.ts";
import { readIfPresent } from "../init/planned-file.ts";
import { replaceFile } from "../replace-file.ts";
import { readable, readSigner } from "../statement/read-statement.ts";
import { explained } from "./read-declared.ts";
import type { ComingRelease } from "./release-report.ts";
import type { ReleasedSide } from "./released-side.ts";

/** The options of a statement as the command line gives them. */
export interface StatementOptions {
  readonly statement?: string;
  readonly key?: string;
  /** In milliseconds. */
  readonly expires: number;
}

/** Who signs, and the file of the statement. */
export interface StatementAuthor {
  readonly file: string;
  readonly signer: StatementSigner;
  readonly expires: number;
  /** The statement that is in the file. */
  readonly present: OpenedStatement | undefined;
}

/**
 * Reads the key, and the statement that the file has already: that of the release before, or of the same one.
 *
 * @throws {@link CliError} `usage` where one of both options is missing; `unreadable-input`, `too-large`
 */
export async function openAuthor(
  context: Context,
  { statement: file, key, expires }: StatementOptions,
): Promise<StatementAuthor> {
  if (file === undefined || key === undefined) {
    throw new CliError("usage", "a statement needs a file and a key", {
      expected: "--statement <file> and --key <file>",
      fix: "agentprint release --statement agentprint.statement.json --key author.pem",
    });
  }
  const signer = await readSigner(context, key);
  const text = await readIfPresent(context, file);
  const fix = "name another file, or take this one away: the new statement then follows none";
  const keys = await ownKeys(context, file, signer);
  const open = () => text && openStatement(text, keys);
  return { file, signer, expires, present: readable(file, fix, open) || undefined };
}

/**
 * Returns the key of an author, and those that it replaces.
 *
 * @throws {@link CliError} `unreadable-input` where the key does not count any more
 */
async function ownKeys(context: Context, statement: string, signer: StatementSigner): Promise<StatementVerifier[]> {
  const file = keyHistoryPlace(statement);
  const history = (await readIfPresent(context, file)) ?? "";
  const fix = "sign with the key that counts, or get the whole history again";
  const { current, former } = readable(file, fix, () => followOwnKeys(history, signer, new Date()));
  const problem = former.find(({ key }) => key.keyId === signer.keyId)?.problem;
  if (problem === undefined) return [...current, ...former.map(({ key }) => key)];
  throw new CliError("unreadable-input", problem.message, { where: file, expected: "a key that counts", fix });
}

/**
 * Signs the statement of a release, and replaces the file. It follows the statement in the file, where that is of the release before; where it
 * is of this release, the one that it follows.
 *
 * @throws {@link CliError} `rolled-back` where the file has the statement of a later release; `unwritable-output`
 */
export async function writeStatement(
  context: Context,
  { file, signer, expires, present }: StatementAuthor,
  { project, declared, entry }: ComingRelease,
  released: ReleasedSide | undefined,
  aliases: Renames,
): Promise<void> {
  const stated = present?.statement.predicate;
  if (stated && !explained(file, () => judgeVersion(stated.server.version, declared, "none").isEnough)) {
    throw new CliError("rolled-back", `${file} has the statement of ${stated.server.version}, which is later`, {
      expected: `a statement of ${declared} or of a release before`,
      fix: "name another file for an older line of releases",
    });
  }
  const digest = released && digestBefore(present, released.version, declared);
  const issued = new Date();
  const before = released && { ...released, ...(digest !== undefined && { statement: { digest } }) };
  const statement = createStatement({
    entry,
    name: project.name,
    version: declared,
    ...(before && { before }),
    aliases,
    issued,
    expires: new Date(issued.getTime() + expires),
  });
  await replaceFile(context, file, signStatement(statement, signer));
  const follows = digest === undefined ? "it follows no other statement" : `it follows the one of ${released?.version}`;
  context.stderr.write(`wrote ${file}: ${follows}; signed by ${signer.publicKey}\n`);
}

/** The digest of the statement of the release before. */
function digestBefore(present: OpenedStatement | undefined, last: string, declared: string): string | undefined {
  const { server, verdict } = present?.statement.predicate ?? {};
  if (server?.version === last) return present?.digest;
  const isSame = server?.version === declared && verdict?.against.version === last;
  return isSame ? verdict.against.statement?.sha256 : undefined;
}
