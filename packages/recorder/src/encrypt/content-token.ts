import { canonicalize, type ThoughtRecord } from "@agentprint/trail/record";
import { keyIdOf } from "../envelope/key-id.ts";
import { RecorderError } from "../errors.ts";

/** The attribute of an event that holds its encrypted part. */
export const ENCRYPTED_ATTRIBUTE = "agentprint.encrypted";
/** The digests of contents, which are also encrypted, because the contents could be guessed from them. */
export const CONTENT_DIGESTS: readonly string[] = ["arguments", "messages", "result"];

const KEY_BYTES = 32;
export const NONCE_BYTES = 12;
const TOKEN = /^encrypted\/1\.A256GCM\.([0-9a-f]{8})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{22,})$/;
const encoder = new TextEncoder();

/** The fields of a record that an encrypted content is bound to, so that it cannot be moved to another record. */
export type ContentPlace = Pick<ThoughtRecord, "id" | "task_id" | "type">;

/** The parts of an encrypted content. */
export interface ContentToken {
  readonly keyId: string;
  readonly nonce: Uint8Array<ArrayBuffer>;
  /** Followed by the tag. */
  readonly ciphertext: Uint8Array<ArrayBuffer>;
}

/** Returns whether a text has the form of encrypted content. */
export function isToken(text: unknown): text is string {
  return typeof text === "string" && TOKEN.test(text);
}

/** Returns an encrypted content as text. */
export function formatToken({ keyId, nonce, ciphertext }: ContentToken): string {
  return `encrypted/1.A256GCM.${keyId}.${toBase64Url(nonce)}.${toBase64Url(ciphertext)}`;
}

/** @throws {@link RecorderError} `not-encrypted` if the text is not an encrypted content. */
export function parseToken(text: string): ContentToken {
  const [, keyId, nonce = "", ciphertext = ""] = TOKEN.exec(text) ?? [];
  const token =
    keyId === undefined ? undefined : { keyId, nonce: fromBase64Url(nonce), ciphertext: fromBase64Url(ciphertext) };
  // Any other spelling of the same bytes is refused, so that a content has only one text.
  if (token && formatToken(token) === text) return token;
  throw new RecorderError("not-encrypted", "expected encrypted/1.A256GCM.<key id>.<nonce>.<ciphertext>");
}

/** Returns the data that the tag covers in addition to the ciphertext. */
export function placeBytes({ id, task_id, type }: ContentPlace): Uint8Array<ArrayBuffer> {
  return encoder.encode(`agentprint encrypted/1\n${canonicalize({ id, task_id, type })}`);
}

/**
 * Returns the id of a content key, as 8 lowercase hex digits.
 *
 * @throws {@link RecorderError} `invalid-key` if it does not have 32 bytes.
 */
export function contentKeyId(key: Uint8Array): string {
  if (!(key instanceof Uint8Array) || key.length !== KEY_BYTES) {
    throw new RecorderError("invalid-key", `expected a content key of ${KEY_BYTES} bytes`);
  }
  return keyIdOf("content", key);
}

function toBase64Url(bytes: Uint8Array): string {
  let units = "";
  for (const byte of bytes) units += String.fromCharCode(byte);
  return btoa(units).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  if (text.length % 4 === 1) return new Uint8Array();
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (unit) => unit.charCodeAt(0));
}
