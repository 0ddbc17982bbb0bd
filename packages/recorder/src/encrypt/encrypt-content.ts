import { createCipheriv, createSecretKey, randomBytes } from "node:crypto";
import { canonicalize } from "@agentprint/trail/record";
import type { EventMembers } from "../event/event.ts";
import {
  CONTENT_DIGESTS,
  type ContentPlace,
  contentKeyId,
  ENCRYPTED_ATTRIBUTE,
  formatToken,
  NONCE_BYTES,
  placeBytes,
} from "./content-token.ts";

type Contents = Pick<EventMembers, "attributes" | "digests">;

/** Encrypts one task's contents. */
export interface ContentCipher {
  /** Returns an event with its contents encrypted in one attribute; an event without contents is returned unchanged. */
  readonly encryptEvent: <Event extends Contents>(event: Event, place: ContentPlace) => Event;
  /** Returns the encrypted text of a thought. */
  readonly encryptThought: (text: string, place: ContentPlace) => string;
}

/**
 * Returns the cipher for a key.
 *
 * @throws {@link RecorderError} `invalid-key` if the key does not have 32 bytes.
 */
export function createContentCipher(key: Uint8Array): ContentCipher {
  const keyId = contentKeyId(key);
  const secret = createSecretKey(key);
  const encrypt = (content: unknown, place: ContentPlace): string => {
    const nonce = Uint8Array.from(randomBytes(NONCE_BYTES));
    const cipher = createCipheriv("aes-256-gcm", secret, nonce).setAAD(placeBytes(place));
    const parts = [cipher.update(canonicalize(content), "utf8"), cipher.final(), cipher.getAuthTag()];
    return formatToken({ keyId, nonce, ciphertext: Uint8Array.from(Buffer.concat(parts)) });
  };
  return {
    encryptThought: encrypt,
    encryptEvent: (event, place) => {
      const { attributes = {}, digests = {} } = event;
      const names = Object.keys(digests);
      const secretNames = names.filter((name) => CONTENT_DIGESTS.includes(name));
      if (Object.keys(attributes).length === 0 && secretNames.length === 0) return event;
      const contents = { attributes, digests: picked(digests, secretNames) };
      const open = names.filter((name) => !CONTENT_DIGESTS.includes(name));
      return {
        ...event,
        attributes: { [ENCRYPTED_ATTRIBUTE]: encrypt(contents, place) },
        ...(event.digests && { digests: picked(digests, open) }),
      };
    },
  };
}

function picked(digests: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, digests[name] as string]));
}
