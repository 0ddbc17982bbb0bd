import { checkArgument } from "../check-argument.ts";
import { quote, TrailError } from "../errors.ts";
import { bytesToHex, hexToBytes } from "../hex.ts";
import { concatBytes, fromBase64, toBase64 } from "./bytes.ts";
import { checkSigner, type NoteSigner, type NoteVerifier } from "./note-keys.ts";

/** UTF-16 units. */
const MAX_NOTE_LENGTH = 1_000_000;
const MAX_SIGNATURES = 100;
const SIGNATURE_LINE = /^\u2014 ([^\p{White_Space}+]+) ([A-Za-z0-9+/=]+)$/u;
// Every ASCII control character except the line feed and DEL.
const FORBIDDEN = /[^\P{Cc}\n\u007f-\u009f]/u;

/** The signer of a note. */
export interface NoteSignature {
  readonly name: string;
  readonly keyId: string;
  /** The time of a cosignature, in seconds since 1970. */
  readonly time?: number;
}

/** A note whose signatures were checked. */
export interface OpenNote {
  readonly text: string;
  /** Signatures of known keys, all valid. */
  readonly signatures: readonly NoteSignature[];
  /** Signatures of unknown keys, not checked. */
  readonly unknown: readonly NoteSignature[];
}

interface RawSignature {
  readonly name: string;
  readonly keyId: string;
  readonly bytes: Uint8Array;
}

/**
 * Returns `text` with a signature by each signer, in the C2SP signed-note format.
 *
 * @throws {@link TrailError} `invalid-note` when `text` does not end with a line feed or has control characters,
 * `invalid-key` when a signer's name or key id cannot be written.
 */
export function signNote(text: string, signers: readonly NoteSigner[]): string {
  checkArgument("text", text, "string");
  checkArgument("signers", signers, [{ sign: "function" }]);
  checkText(text);
  const lines = new Set(signers.map((signer) => signatureLine(text, signer)));
  return `${text}\n${[...lines].join("")}`;
}

/**
 * Returns `note` with an additional signature, or `note` itself if it already has that signature.
 *
 * @throws {@link TrailError} `invalid-note` when `note` is not a signed note, `invalid-key` when the signer's name or
 * key id cannot be written.
 */
export function addSignature(note: string, signer: NoteSigner): string {
  checkArgument("note", note, "string");
  checkArgument("signer", signer, { sign: "function" });
  const { text } = splitNote(note);
  const line = signatureLine(text, signer);
  return note
    .slice(text.length + 1)
    .split("\n")
    .includes(line.slice(0, -1))
    ? note
    : note + line;
}

/**
 * Returns the text of a signed note and its signatures. Signatures of unknown keys are listed and not checked.
 *
 * @throws {@link TrailError} `invalid-note` when `note` is not a signed note, `invalid-signature` when a signature with
 * the name and id of a known key was not made by that key, `unknown-signer` when no known key signed.
 */
export function openNote(note: string, verifiers: readonly NoteVerifier[]): OpenNote {
  checkArgument("note", note, "string");
  checkArgument("verifiers", verifiers, [{ verify: "function" }]);
  const { text, signatures } = splitNote(note);
  const known: NoteSignature[] = [];
  const unknown: NoteSignature[] = [];
  for (const { name, keyId, bytes } of signatures) {
    const verifier = verifiers.find((candidate) => candidate.name === name && candidate.keyId === keyId);
    if (!verifier) unknown.push({ name, keyId });
    else if (!verifier.verify(text, bytes)) {
      throw new TrailError("invalid-signature", `the signature of ${quote(name)} does not match the note`);
    } else {
      const time = verifier.timeOf(bytes);
      known.push({ name, keyId, ...(time === undefined ? {} : { time }) });
    }
  }
  if (known.length === 0) {
    const expected = verifiers.map(({ name }) => quote(name)).join(", ") || "no key at all";
    const received = unknown.map(({ name }) => quote(name)).join(", ") || "nobody";
    throw new TrailError("unknown-signer", `expected a signature of ${expected}; signed by ${received}`);
  }
  return { text, signatures: known, unknown };
}

/**
 * Returns the text of a note and the names of its signers. No signature is checked; {@link openNote} does that.
 *
 * @throws {@link TrailError} `invalid-note` when `note` is not a signed note.
 *
 * @example
 * ```ts
 * import { parseCheckpoint, parseNote } from "@agentprint/trail/checkpoint";
 *
 * const { text, signatures } = parseNote(note);
 * console.log(parseCheckpoint(text).size, signatures[0]?.name); // 6 example.com/trail/task-42
 * ```
 */
export function parseNote(note: string): Pick<OpenNote, "text" | "signatures"> {
  checkArgument("note", note, "string");
  const { text, signatures } = splitNote(note);
  return { text, signatures: signatures.map(({ name, keyId }) => ({ name, keyId })) };
}

function splitNote(note: string): { text: string; signatures: RawSignature[] } {
  if (note.length > MAX_NOTE_LENGTH) {
    throw new TrailError("invalid-note", `a note has at most ${MAX_NOTE_LENGTH} characters, not ${note.length}`);
  }
  const split = note.lastIndexOf("\n\n");
  if (split < 0 || !note.endsWith("\n")) {
    throw new TrailError(
      "invalid-note",
      "expected a text, an empty line and signature lines, each ended by a line feed",
    );
  }
  checkText(note);
  const text = note.slice(0, split + 1);
  const lines = note.slice(split + 2, -1).split("\n");
  if (lines.length > MAX_SIGNATURES) throw new TrailError("invalid-note", `more than ${MAX_SIGNATURES} signatures`);
  // A repeated line counts as one signature.
  return { text, signatures: [...new Set(lines)].map((line) => parseSignature(line)) };
}

function checkText(text: string): void {
  if (!text.endsWith("\n") || FORBIDDEN.test(text) || !text.isWellFormed()) {
    throw new TrailError("invalid-note", "a note ends with a line feed and has no other control character");
  }
}

function parseSignature(line: string): RawSignature {
  const [, name, encoded] = SIGNATURE_LINE.exec(line) ?? [];
  if (name === undefined || encoded === undefined) {
    throw new TrailError("invalid-note", `expected "\u2014 <name> <Base64>", received ${quote(line)}`);
  }
  const bytes = fromBase64(encoded, "invalid-note", `signature of ${quote(name)}`);
  if (bytes.length < 5) throw new TrailError("invalid-note", `signature of ${quote(name)}: too short`);
  return { name, keyId: bytesToHex(bytes.subarray(0, 4)), bytes: bytes.subarray(4) };
}

function signatureLine(text: string, signer: NoteSigner): string {
  checkSigner(signer);
  const { name, keyId, sign } = signer;
  return `\u2014 ${name} ${toBase64(concatBytes(hexToBytes(keyId), sign(text)))}\n`;
}
