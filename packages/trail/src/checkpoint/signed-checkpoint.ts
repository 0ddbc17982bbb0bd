import { checkArgument } from "../check-argument.ts";
import { quote, TrailError } from "../errors.ts";
import { bytesToHex, hashToBytes } from "../hex.ts";
import type { AuthorFields } from "../record/digest.ts";
import { fromBase64, toBase64 } from "./bytes.ts";
import { type NoteSignature, openNote, signNote } from "./note.ts";
import type { NoteSigner, NoteVerifier } from "./note-keys.ts";
import { type CoveredRange, checkTreeHead, type TreeHead, TreeHeadBuilder, type TreeHeadOptions } from "./tree-head.ts";

/** The word that begins the extension line with the author root. */
const AUTHOR_LINE = "author-root ";
/**
 * The words that begin a range's extension lines: two with a hash and its audit path, and one with the roots of perfect
 * subtrees.
 */
const RANGE_LINES: readonly string[] = /* @__PURE__ */ Object.freeze([
  "first-record ",
  "last-record ",
  "author-peaks ",
]);

/** A tree head with the name of its log: the body of a C2SP tlog-checkpoint. */
export interface Checkpoint extends TreeHead {
  /** The name of the log: one line of text, by convention a URL without a scheme such as `example.com/trail/task-42`. */
  readonly origin: string;
}

/** A checkpoint whose signatures are valid. */
export interface VerifiedCheckpoint extends Checkpoint {
  /** The witnesses that cosigned the checkpoint, each with the time of its signature. */
  readonly witnesses: readonly NoteSignature[];
}

/** The log and the witnesses that `verifyCheckpoint` trusts. */
export interface CheckpointTrust {
  readonly origin: string;
  /** The log's key. Its signature is required. */
  readonly log: NoteVerifier;
  readonly witnesses?: readonly NoteVerifier[];
  /** How many witness keys must have cosigned; the log's key does not count. Default: 0. */
  readonly threshold?: number;
}

/**
 * Returns the tree head of `records`.
 *
 * @throws {@link TrailError} `invalid-hash` when a record's hash is not 64 lowercase hex digits.
 */
export async function computeTreeHead(
  records: Iterable<AuthorFields> | AsyncIterable<AuthorFields>,
  options: TreeHeadOptions = {},
): Promise<TreeHead> {
  checkArgument("records", records, "iterable");
  checkArgument("options", options, "object");
  const builder = new TreeHeadBuilder(options);
  for await (const record of records) builder.append(record);
  return builder.treeHead();
}

/**
 * Returns a checkpoint as a signed note (C2SP tlog-checkpoint): origin, size, root, and the author root in an extension
 * line.
 *
 * @throws {@link TrailError} `invalid-checkpoint` when `origin` is not one line of text or `size` is not a whole number,
 * `invalid-hash` when a root is not 64 lowercase hex digits, `invalid-key` when a signer cannot be named in a note.
 *
 * @example
 * ```ts
 * import { computeTreeHead, createCheckpoint, createNoteSigner } from "@agentprint/trail/checkpoint";
 *
 * const head = await computeTreeHead(records);
 * const note = createCheckpoint({ origin: "example.com/trail/task-42", ...head }, [createNoteSigner(signerKey)]);
 * ```
 */
export function createCheckpoint(checkpoint: Checkpoint, signers: readonly NoteSigner[]): string {
  checkArgument("checkpoint", checkpoint, "object");
  checkArgument("signers", signers, [{ sign: "function" }]);
  return signNote(formatCheckpoint(checkpoint), signers);
}

/**
 * Returns the text of a checkpoint, without signatures.
 *
 * @throws {@link TrailError} `invalid-checkpoint` when `origin` is not one line of text or `size` is not a whole number,
 * `invalid-hash` when a root is not 64 lowercase hex digits.
 */
export function formatCheckpoint({ origin, size, rootHash, authorRootHash, range }: Checkpoint): string {
  if (!isOrigin(origin)) {
    throw new TrailError("invalid-checkpoint", `origin ${quote(String(origin))}: expected one line of text`);
  }
  if (!Number.isSafeInteger(size) || size < 0) {
    throw new TrailError("invalid-checkpoint", `size ${String(size)}: expected a whole number of records`);
  }
  const author = authorRootHash === undefined ? "" : `${AUTHOR_LINE}${toBase64(hashToBytes(authorRootHash))}\n`;
  return `${origin}\n${size}\n${toBase64(hashToBytes(rootHash))}\n${author}${range ? formatRange(range) : ""}`;
}

function formatRange({ firstHash, firstPath, lastHash, lastPath, authorPeaks }: CoveredRange): string {
  const lines = [[firstHash, ...firstPath], [lastHash, ...lastPath], authorPeaks];
  return lines
    .map((hashes, index) => `${RANGE_LINES[index]}${hashes.map((hash) => toBase64(hashToBytes(hash))).join(" ")}\n`)
    .join("");
}

/**
 * Returns the checkpoint in the text of a note. Extension lines other than the author root and a range's lines are
 * ignored.
 *
 * @throws {@link TrailError} `invalid-checkpoint` when `text` is not a checkpoint's text.
 */
export function parseCheckpoint(text: string): Checkpoint {
  checkArgument("text", text, "string");
  const [origin = "", size = "", root = "", ...rest] = text.split("\n");
  const extensions = rest.slice(0, -1);
  if (!isOrigin(origin) || rest.at(-1) !== "" || extensions.includes("") || !text.isWellFormed()) {
    throw new TrailError("invalid-checkpoint", "expected lines of origin, size and root hash");
  }
  if (!/^(?:0|[1-9][0-9]{0,15})$/.test(size) || !Number.isSafeInteger(Number(size))) {
    throw new TrailError("invalid-checkpoint", `expected a decimal size, received ${quote(size)}`);
  }
  const authors = extensions.filter((line) => line.startsWith(AUTHOR_LINE));
  if (authors.length > 1) throw new TrailError("invalid-checkpoint", "more than one author root");
  const author = authors[0]?.slice(AUTHOR_LINE.length);
  const range = parseRange(extensions);
  const checkpoint = {
    origin,
    size: Number(size),
    rootHash: parseRoot(root),
    ...(author === undefined ? {} : { authorRootHash: parseRoot(author) }),
    ...(range && { range }),
  };
  checkTreeHead(checkpoint);
  return checkpoint;
}

/** Returns the range in extension lines; `undefined` if none of them belongs to a range. */
function parseRange(extensions: readonly string[]): CoveredRange | undefined {
  const found = RANGE_LINES.map((start) => extensions.filter((line) => line.startsWith(start)));
  if (found.every((lines) => lines.length === 0)) return undefined;
  if (found.some((lines) => lines.length !== 1)) {
    throw new TrailError("invalid-checkpoint", "expected one line of each kind of a range");
  }
  const [first = [], last = [], authorPeaks = []] = found.map(([line = ""], index) =>
    line.slice(RANGE_LINES[index]?.length).split(" ").map(parseRoot),
  );
  const [[firstHash = "", ...firstPath], [lastHash = "", ...lastPath]] = [first, last];
  return { firstHash, firstPath, lastHash, lastPath, authorPeaks };
}

/**
 * Returns the checkpoint in a signed note, if the log and enough witnesses signed it. `verifyChain` accepts the result
 * in its `checkpoints`.
 *
 * @throws {@link TrailError} `invalid-threshold` when `trust.threshold` is not a whole number, `invalid-note` when
 * `note` is not a signed note, `invalid-signature` when a known key did not make the signature with its name,
 * `unknown-signer` when the log did not sign, `too-few-witnesses`, `invalid-checkpoint` when the text is not a
 * checkpoint's, `wrong-origin` when the checkpoint belongs to another log.
 *
 * @example
 * ```ts
 * import { createNoteVerifier, verifyCheckpoint } from "@agentprint/trail/checkpoint";
 * import { verifyChain } from "@agentprint/trail/chain";
 *
 * const trust = { origin: "example.com/trail/task-42", log: createNoteVerifier(verifierKey) };
 * const checkpoint = verifyCheckpoint(note, trust);
 * const report = await verifyChain(records, { checkpoints: [checkpoint] });
 * ```
 */
export function verifyCheckpoint(note: string, trust: CheckpointTrust): VerifiedCheckpoint {
  checkArgument("note", note, "string");
  checkArgument("trust", trust, { log: { verify: "function" } });
  const { log, witnesses = [], threshold = 0 } = trust;
  checkThreshold(threshold);
  const { text, signatures } = openNote(note, [log, ...witnesses]);
  const madeBy = ({ name, keyId }: NoteVerifier): NoteSignature | undefined =>
    signatures.find((signature) => signature.name === name && signature.keyId === keyId);
  if (!madeBy(log)) throw new TrailError("unknown-signer", `the log ${quote(log.name)} did not sign the checkpoint`);
  // Witnesses are counted by public key: a key with two names, or with two types of signature, is one witness, and the
  // log's key is none.
  const cosigned = new Map<string, NoteSignature>();
  for (const witness of witnesses) {
    const signature = madeBy(witness);
    const { publicKey } = witness;
    if (signature && publicKey !== log.publicKey && !cosigned.has(publicKey)) cosigned.set(publicKey, signature);
  }
  if (cosigned.size < threshold) {
    const message = `expected ${threshold} witnesses, received ${cosigned.size} of ${witnesses.length} known ones`;
    throw new TrailError("too-few-witnesses", message);
  }
  const checkpoint = parseCheckpoint(text);
  if (checkpoint.origin !== trust.origin) {
    const message = `expected a checkpoint of ${quote(trust.origin)}, received one of ${quote(checkpoint.origin)}`;
    throw new TrailError("wrong-origin", message);
  }
  return { ...checkpoint, witnesses: [...cosigned.values()] };
}

function checkThreshold(threshold: number): void {
  if (Number.isSafeInteger(threshold) && threshold >= 0) return;
  const message = `expected a whole number of witnesses as threshold, received ${String(threshold)}`;
  throw new TrailError("invalid-threshold", message);
}

/** Returns whether a value is one line of text without control characters, which a note cannot contain. */
function isOrigin(origin: unknown): boolean {
  return (
    typeof origin === "string" && origin !== "" && origin.isWellFormed() && !/[^\P{Cc}\u007f-\u009f]/u.test(origin)
  );
}

function parseRoot(text: string): string {
  const bytes = fromBase64(text, "invalid-checkpoint", "root hash");
  if (bytes.length !== 32)
    throw new TrailError("invalid-checkpoint", `root hash: expected 32 bytes, not ${bytes.length}`);
  return bytesToHex(bytes);
}
