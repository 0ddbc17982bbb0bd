import { createCipheriv, createDecipheriv } from "node:crypto";
import { parseJson } from "@agentprint/canonical-json";
import { isJsonObject, type JsonObject } from "@agentprint/canonical-json/json-value";

const CIPHER = "aes-256-gcm";
const [KEY_BYTES, NONCE_BYTES, TAG_BYTES, MARK_BYTES] = [32, 12, 16, 6];

/** Limits for opened content, which may be a little longer when it is serialized again than it was in its message. */
const OF_CLIENT = { maxBytes: 64 * 1024 * 1024, tolerate: () => true } as const;

/** Seals the state that a client carries from one request to the next, so that only this guard can read or write it. */
export class Seal {
  readonly #key: Uint8Array;
  readonly #mark: string;
  readonly #random: (bytes: number) => Uint8Array;

  constructor(random: (bytes: number) => Uint8Array) {
    this.#random = random;
    this.#key = random(KEY_BYTES);
    this.#mark = `${Buffer.from(random(MARK_BYTES)).toString("hex")}.`;
  }

  /** Returns whether a text looks sealed by this guard, without opening it. */
  isOwn(text: unknown): text is string {
    return typeof text === "string" && text.startsWith(this.#mark);
  }

  seal(content: JsonObject): string {
    const nonce = this.#random(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce);
    const sealed = Buffer.concat([cipher.update(JSON.stringify(content), "utf8"), cipher.final()]);
    return this.#mark + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
  }

  /** Returns the sealed content, or `undefined` if the text was changed or was sealed by another guard. */
  open(text: string): JsonObject | undefined {
    const bytes = Buffer.from(text.slice(this.#mark.length), "base64url");
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
    try {
      const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const content = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
      const opened = parseJson(Buffer.concat([content, decipher.final()]), OF_CLIENT);
      return isJsonObject(opened) ? opened : undefined;
    } catch {
      return undefined;
    }
  }
}
