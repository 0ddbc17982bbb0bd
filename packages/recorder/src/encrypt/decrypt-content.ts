import { parseCanonical } from "@agentprint/canonical-json";
import { RecorderError } from "../errors.ts";
import { type ContentPlace, contentKeyId, parseToken, placeBytes } from "./content-token.ts";

/**
 * Returns the decrypted value: an object with an event's `attributes` and `digests`, or the text of a thought. It is
 * decrypted with WebCrypto, which both Node and browsers have.
 *
 * @param token An event's `agentprint.encrypted` attribute, or the content of an encrypted thought.
 * @throws {@link RecorderError} `not-encrypted` if `token` is not an encrypted content, `wrong-key` if another key
 * encrypted it, `altered` if it is not what the key encrypted at this place, `invalid-key`, or `unsupported` on an
 * insecure browser page.
 *
 * @example
 * ```ts
 * import { decryptContent } from "@agentprint/recorder/events";
 *
 * const key = Uint8Array.from({ length: 32 }, (_, index) => index);
 * const content = "encrypted/1.A256GCM.268d6b64.AAECAwQFBgcICQoL.ZUazd6CRpzvkNbmpLw39RVckYNaMg_jhnxTKbA";
 * const record = { id: "s1.00000001", task_id: "s1", type: "plan" } as const;
 * console.log(await decryptContent(content, record, key)); // Delete it.
 * ```
 */
export async function decryptContent(token: string, place: ContentPlace, key: Uint8Array): Promise<unknown> {
  const { keyId, nonce, ciphertext } = parseToken(token);
  const own = contentKeyId(key);
  if (own !== keyId) throw new RecorderError("wrong-key", `expected the key ${keyId}, received the key ${own}`);
  const { subtle } = globalThis.crypto as Partial<typeof globalThis.crypto>;
  if (!subtle) throw new RecorderError("unsupported", "browsers decrypt only on https: pages or pages of this machine");
  const secret = await subtle.importKey("raw", Uint8Array.from(key), "AES-GCM", false, ["decrypt"]);
  const algorithm = { name: "AES-GCM", iv: nonce, additionalData: placeBytes(place) };
  try {
    const bytes = await subtle.decrypt(algorithm, secret, ciphertext);
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return parseCanonical(text, { profile: "ecmascript" });
  } catch (cause) {
    const message = `the content of record ${JSON.stringify(place.id)} is not what the key ${keyId} encrypted there`;
    throw new RecorderError("altered", message, { cause });
  }
}
