import type { Renames } from "@agentprint/mcp-lock";
import { judgeVersion } from "@agentprint/release";
import {
  createStatement,
  createVerifier,
  type OpenedStatement,
  openStatement,
  payloadOf,
  type Statement,
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
import type { SigstoreOptions } from "./sign-keyless.ts";

/** The options of a statement as the command line gives them. */
export interface StatementOptions extends SigstoreOptions {
  readonly statement?: string;
  readonly key?: string;
  /** In milliseconds. */
  readonly expires: number;
}

/** Who signs, and the file of the statement. */
export interface StatementAuthor {
  readonly file: string;
  readonly sign: (statement: Statement) => Promise<SignedStatement>;
  readonly expires: number;
  /** The statement that is in the file. */
  readonly present: OpenedStatement | undefined;
}

/** A statement with its signature. */
interface SignedStatement {
  /** The text of its envelope or bundle. */
  readonly text: string;
  /** The public key, or the identity in the certificate. */
  readonly signedBy: string;
}

/** Who signs: the holder of a key, or the identity of the job that runs. */
interface Signing extends Pick<StatementAuthor, "sign"> {
  /** Opens the statement of a former release. */
  readonly open: (text: string) => OpenedStatement;
}

/**
 * Reads the key, and the statement that the file has already: that of the release before, or of the same one.
 *
 * @throws {@link CliError} `usage` where one of both options is missing, or nothing proves who signs; `unreadable-input`, `too-large`
 */
export async function openAuthor(context: Context, options: StatementOptions): Promise<StatementAuthor> {
  const { statement: file, key, sigstore, expires } = options;
  if (file === undefined || (key === undefined) === (sigstore === undefined)) {
    throw new CliError("usage", "a statement needs a file, and a key or Sigstore", {
      expected: "--statement <file>, and --key <file> or --sigstore <file>",
      fix: "agentprint release --statement agentprint.statement.json --key author.pem",
    });
  }
  const { open, sign } = key === undefined ? await signingKeyless(context, options) : await signingBy(context, key);
  const text = await readIfPresent(context, file);
  const fix = "name another file, or take this one away: the new statement then follows none";
  return { file, sign, expires, present: text ? readable(file, fix, () => open(text)) : undefined };
}

async function signingBy(context: Context, key: string): Promise<Signing> {
  const signer = await readSigner(context, key);
  return {
    open: (text) => openStatement(text, [createVerifier(signer.publicKey)]),
    sign: async (statement) => ({ text: signStatement(statement, signer), signedBy: signer.publicKey }),
  };
}

async function signingKeyless(context: Context, options: StatementOptions): Promise<Signing> {
  const { keylessSigner } = await import("./sign-keyless.ts");
  const { open, sign } = await keylessSigner(context, options);
  return { open, sign: (statement) => sign(payloadOf(statement)) };
}

/**
 * Signs the statement of a release, and replaces the file. It follows the statement in the file, where that is of the release before; where it
 * is of this release, the one that it follows.
 *
 * @throws {@link CliError} `rolled-back` where the file has the statement of a later release; `unwritable-output`
 */
export async function writeStatement(
  context: Context,
  { file, sign, expires, present }: StatementAuthor,
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
  const { text, signedBy } = await sign(statement);
  await replaceFile(context, file, text);
  const follows = digest === undefined ? "it follows no other statement" : `it follows the one of ${released?.version}`;
  context.stderr.write(`wrote ${file}: ${follows}; signed by ${signedBy}\n`);
}

/** The digest of the statement of the release before. */
function digestBefore(present: OpenedStatement | undefined, last: string, declared: string): string | undefined {
  const { server, verdict } = present?.statement.predicate ?? {};
  if (server?.version === last) return present?.digest;
  const isSame = server?.version === declared && verdict?.against.version === last;
  return isSame ? verdict.against.statement?.sha256 : undefined;
}
