import { CanonicalJsonError, isJsonObject, type JsonObject, parseJson } from "@agentprint/canonical-json";
import type { Renames } from "@agentprint/mcp-lock";
import { judgeVersion } from "@agentprint/release";
import {
  createStatement,
  followOwnKeys,
  keyHistoryPlace,
  type OpenedStatement,
  openStatement,
  payloadOf,
  type Statement,
  type StatementSigner,
  type StatementVerifier,
  signStatement,
  withReference,
} from "@agentprint/statement";
import { readIfPresent } from "../files/planned-file.ts";
import { readRegularFile } from "../files/read-input.ts";
import { updateFile, writtenMeanwhile } from "../files/update-file.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { readable, readSigner } from "../statement/read-statement.ts";
import { explained } from "./read-declared.ts";
import type { ComingRelease } from "./release-report.ts";
import type { ReleasedSide } from "./released-side.ts";
import type { SigstoreOptions } from "./sign-keyless.ts";

/** The maximum size of `server.json`, in bytes. */
const MAX_SERVER_JSON_BYTES = 1_048_576;

/** The options of a statement as the command line gives them. */
export interface StatementOptions extends SigstoreOptions {
  readonly statement?: string;
  readonly key?: string;
  /** The address at which the statement will be, for `server.json`. */
  readonly serverJson?: string;
  /** In milliseconds. */
  readonly expires: number;
}

/** Who signs, and the file of the statement. */
export interface StatementAuthor extends Signing {
  readonly file: string;
  readonly expires: number;
  readonly address: string | undefined;
  /** The statement that is in the file. */
  readonly present: OpenedStatement | undefined;
  /** The text of the statement in the file. */
  readonly presentText: string | undefined;
}

/** A statement with its signature. */
interface SignedStatement {
  /** The text of the statement's envelope or bundle. */
  readonly text: string;
  /** The public key, or the identity in the certificate. */
  readonly signedBy: string;
}

/** Who signs: the holder of a key, or the identity of the job that runs. */
interface Signing {
  readonly sign: (statement: Statement) => Promise<SignedStatement>;
  /** Opens the statement of an earlier release. */
  readonly open: (text: string) => OpenedStatement;
}

/**
 * Reads the key, and the statement in the existing file: the previous release's, or the same release's.
 *
 * @throws {@link CliError} `usage` if one of the two options is missing, or nothing proves the signer's identity;
 * `unreadable-input`, `too-large`
 */
export async function openAuthor(context: Context, options: StatementOptions): Promise<StatementAuthor> {
  const { statement: file, key, sigstore, expires, serverJson: address } = options;
  if (file === undefined || (key === undefined) === (sigstore === undefined)) {
    throw new CliError("usage", "a statement needs a file, and a key or Sigstore", {
      expected: "--statement <file>, and --key <file> or --sigstore <file>",
      fix: "agentprint release --statement agentprint.statement.json --key author.pem",
    });
  }
  const { open, sign } =
    key === undefined ? await signingKeyless(context, options) : await signingBy(context, key, file);
  const text = await readIfPresent(context, file);
  const fix = "name another file, or remove this one: the new statement then follows none";
  const present = text ? readable(file, fix, () => open(text)) : undefined;
  return { file, sign, open, expires, address, present, presentText: text };
}

/** @throws {@link CliError} `unreadable-input`, `too-large` */
async function signingBy(context: Context, key: string, file: string): Promise<Signing> {
  const signer = await readSigner(context, key);
  const keys = await ownKeys(context, file, signer);
  return {
    open: (text) => openStatement(text, keys),
    sign: async (statement) => ({ text: signStatement(statement, signer), signedBy: signer.publicKey }),
  };
}

async function signingKeyless(context: Context, options: StatementOptions): Promise<Signing> {
  const { keylessSigner } = await import("./sign-keyless.ts");
  const { open, sign } = await keylessSigner(context, options);
  return { open, sign: (statement) => sign(payloadOf(statement)) };
}

/**
 * Returns the key of an author, and the keys that it replaces.
 *
 * @throws {@link CliError} `unreadable-input` if the key is no longer valid
 */
async function ownKeys(context: Context, statement: string, signer: StatementSigner): Promise<StatementVerifier[]> {
  const file = keyHistoryPlace(statement);
  const history = (await readIfPresent(context, file)) ?? "";
  const fix = "sign with the valid key, or get the complete history again";
  const { current, former } = readable(file, fix, () => followOwnKeys(history, signer, new Date()));
  const problem = former.find(({ key }) => key.keyId === signer.keyId)?.problem;
  if (problem === undefined) return [...current, ...former.map(({ key }) => key)];
  throw new CliError("unreadable-input", problem.message, { where: file, expected: "a key that counts", fix });
}

/**
 * Signs the statement of a release, and replaces the file. The new statement follows the file's statement if that one
 * belongs to the previous release; if it belongs to this release, both follow the same statement.
 *
 * @throws {@link CliError} `rolled-back` if the file has the statement of a later release; `unwritable-output`
 */
export async function writeStatement(
  context: Context,
  { file, sign, open, expires, address, present, presentText }: StatementAuthor,
  { project, declared, entry }: ComingRelease,
  released: ReleasedSide | undefined,
  aliases: Renames,
): Promise<void> {
  const stated = present?.statement.predicate;
  if (stated && !explained(file, () => judgeVersion(stated.server.version, declared, "none").isEnough)) {
    throw new CliError("rolled-back", `${file} has the statement of ${stated.server.version}, which is later`, {
      expected: `a statement of ${declared} or of an earlier release`,
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
  // Read before anything is written, so that no statement is written that its server.json cannot name.
  if (address !== undefined) await withStatement(context, address, open(text));
  await updateFile(context, file, async (target) => {
    if ((await readIfPresent(context, target)) !== presentText) throw writtenMeanwhile(file);
    return text;
  });
  if (address !== undefined) {
    await updateFile(context, SERVER_JSON, () => withStatement(context, address, open(text)));
    context.stderr.write(`wrote ${SERVER_JSON}: it names the statement at ${address}\n`);
  }
  const follows = digest === undefined ? "it follows no other statement" : `it follows the one of ${released?.version}`;
  context.stderr.write(`wrote ${file}: ${follows}; signed by ${signedBy}\n`);
}

const SERVER_JSON = "server.json";

/**
 * Returns the text of `server.json` with the address, the digest and the set hashes of a statement.
 *
 * @throws {@link CliError} `unreadable-input` if there is none, or the registry would refuse it
 */
async function withStatement(
  context: Context,
  address: string,
  { digest: sha256, statement }: OpenedStatement,
): Promise<string> {
  const before = new TextDecoder().decode(await readRegularFile(context, SERVER_JSON, MAX_SERVER_JSON_BYTES));
  const tdh1 = [...new Set(statement.predicate.definitions.sets.map(({ tools }) => tools))];
  const fix = "correct the file, or the address that --server-json names";
  const [, indent = "  "] = /^([ \t]+)"/m.exec(before) ?? [];
  const server = readable(SERVER_JSON, fix, () => withReference(objectIn(before), { address, sha256, tdh1 }));
  return `${JSON.stringify(server, undefined, indent)}\n`;
}

function objectIn(text: string): JsonObject {
  try {
    const value = parseJson(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
  }
  throw new CliError("unreadable-input", `${SERVER_JSON} is not a JSON object`, { where: SERVER_JSON });
}

/** Returns the digest of the previous release's statement. */
function digestBefore(present: OpenedStatement | undefined, last: string, declared: string): string | undefined {
  const { server, verdict } = present?.statement.predicate ?? {};
  if (server?.version === last) return present?.digest;
  const isSame = server?.version === declared && verdict?.against.version === last;
  return isSame ? verdict.against.statement?.sha256 : undefined;
}
