import { isObject } from "@agentprint/canonical-json/json-value";
import type { ThoughtRecord } from "@agentprint/trail/record";
import type { OpenedContent } from "../envelope/open-envelope.ts";
import { RecorderError } from "../errors.ts";
import { isRecordedEvent } from "../event/check-event.ts";
import type { RecordedEvent } from "../event/event.ts";
import type { ContentKeys } from "./content-keys.ts";
import { ENCRYPTED_ATTRIBUTE, isToken } from "./content-token.ts";
import { decryptContent } from "./decrypt-content.ts";

/**
 * The state of an encrypted content.
 *
 * - `decrypted`: it was read.
 * - `encrypted`: no content keys were given.
 * - `erased`: there is no key for the task, or the key was deleted.
 * - `wrong-key`: the task's contents were encrypted with another key.
 * - `altered`: it is not what the key encrypted in this record.
 */
export type ContentState = "altered" | "decrypted" | "encrypted" | "erased" | "wrong-key";

/** The members that an encrypted content adds to an entry. */
export interface OpenedContents {
  readonly content: ContentState;
  /** The event with its decrypted part. */
  readonly event?: RecordedEvent;
  /** The text of an encrypted thought. */
  readonly text?: string;
}

const ALTERED: OpenedContents = { content: "altered" };

/** Decrypts the encrypted parts of records. `keys` is queried once for each task. */
export class ContentReader {
  readonly #keys: Pick<ContentKeys, "get"> | undefined;
  #last: { readonly task: string; readonly key: Promise<Uint8Array | undefined> } | undefined;

  constructor(keys: Pick<ContentKeys, "get"> | undefined) {
    this.#keys = keys;
  }

  /** Returns the contents of a record; `undefined` if nothing in it is encrypted. */
  open(record: ThoughtRecord, opened: OpenedContent): Promise<OpenedContents> | undefined {
    const token = tokenIn(record, opened);
    return token === undefined ? undefined : this.#openToken(token, record, opened);
  }

  async #openToken(token: string, record: ThoughtRecord, opened: OpenedContent): Promise<OpenedContents> {
    if (this.#keys === undefined) return { content: "encrypted" };
    const key = await this.#keyOf(record.task_id, this.#keys);
    if (key === undefined) return { content: "erased" };
    try {
      const value = await decryptContent(token, record, key);
      if (opened.is === "text") return typeof value === "string" ? { content: "decrypted", text: value } : ALTERED;
      const event = joined(opened.event as RecordedEvent, value);
      return event === undefined ? ALTERED : { content: "decrypted", event };
    } catch (error) {
      const code = error instanceof RecorderError ? error.code : undefined;
      if (code === "wrong-key") return { content: "wrong-key" };
      if (code === "altered" || code === "not-encrypted") return ALTERED;
      throw error;
    }
  }

  #keyOf(task: string, keys: Pick<ContentKeys, "get">): Promise<Uint8Array | undefined> {
    if (this.#last?.task !== task) this.#last = { task, key: keys.get(task) };
    return this.#last.key;
  }
}

function tokenIn({ content }: ThoughtRecord, opened: OpenedContent): string | undefined {
  if (opened.is === "text") return isToken(content) ? content : undefined;
  const { attributes } = opened.event;
  const token = isObject(attributes) ? attributes[ENCRYPTED_ATTRIBUTE] : undefined;
  return isToken(token) ? token : undefined;
}

/** Returns an event with its contents; `undefined` if the plaintext does not consist of an event's contents. */
function joined({ attributes, digests, ...event }: RecordedEvent, value: unknown): RecordedEvent | undefined {
  if (!isObject(value)) return undefined;
  const { [ENCRYPTED_ATTRIBUTE]: _, ...open } = attributes ?? {};
  const contents = {
    attributes: { ...open, ...toObject(value["attributes"]) },
    digests: { ...digests, ...toObject(value["digests"]) },
  };
  const whole = { ...event, ...Object.fromEntries(Object.entries(contents).filter(([, member]) => !isEmpty(member))) };
  return isRecordedEvent(whole) ? whole : undefined;
}

function toObject(value: unknown): object {
  return isObject(value) ? value : {};
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}
