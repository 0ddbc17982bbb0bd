import { canonicalizeToBytes, createSha256, hashCanonical, type Sha256Stream } from "@agentprint/canonical-json";
import { canonicalize } from "@agentprint/trail/record";
import type { Content, RecordingOptions } from "./recording-options.ts";

const PROFILE = { profile: "ecmascript" } as const;
/**
 * The maximum length of one content, in UTF-16 units, so that an event with several contents still fits into a record.
 */
const MAX_CONTENT_LENGTH = 2 ** 18;

/** The members that an event has for its values. */
export interface WrittenContents {
  readonly digests: Record<string, string>;
  readonly attributes: Record<string, boolean | number | string>;
  /** Whether one of the values has no canonical text, and therefore no digest. */
  isIncomplete: boolean;
}

type Values = Readonly<Partial<Record<Content["of"], unknown>>>;

const INPUTS: Readonly<Record<Exclude<Content["of"], "result">, string>> = {
  arguments: "gen_ai.tool.call.arguments",
  error: "exception.message",
  instructions: "gen_ai.system_instructions",
  messages: "gen_ai.input.messages",
  tools: "gen_ai.tool.definitions",
};

/** Digests values, and writes the requested ones as attributes. */
export class ContentWriter {
  readonly #redact: ((content: Content) => unknown) | undefined;
  readonly #onFailure: (error: unknown) => void;

  /** @param onFailure is called if the redacting function throws; the content is then omitted. */
  constructor(contents: RecordingOptions["contents"], onFailure: (error: unknown) => void) {
    this.#redact = contents === true ? ({ value }) => value : contents || undefined;
    this.#onFailure = onFailure;
  }

  /** Whether contents are recorded, and not only digested. */
  get isWanted(): boolean {
    return this.#redact !== undefined;
  }

  /** @param tool The name of the tool, for a tool call. */
  write(values: Values, tool: string | undefined): WrittenContents {
    const written: WrittenContents = { digests: {}, attributes: {}, isIncomplete: false };
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) continue;
      const of = name as Content["of"];
      if (of !== "error") this.#digest(of, value, written);
      if (this.#redact) this.#describe({ of, value, ...(tool !== undefined && { tool }) }, written.attributes);
    }
    return written;
  }

  #digest(of: string, value: unknown, written: WrittenContents): void {
    const digest = value instanceof PartsDigest ? value.hex() : digestOf(value);
    if (digest === undefined) written.isIncomplete = true;
    else written.digests[of] = digest;
  }

  #describe(content: Content, attributes: WrittenContents["attributes"]): void {
    const { of, tool, value } = content;
    try {
      const wanted = this.#redact?.(value instanceof PartsDigest ? { ...content, value: value.parts } : content);
      if (wanted === undefined) return;
      const text = of === "error" ? String(wanted) : canonicalize(wanted);
      const result = tool === undefined ? "gen_ai.output.messages" : "gen_ai.tool.call.result";
      if (text.length <= MAX_CONTENT_LENGTH) attributes[of === "result" ? result : INPUTS[of]] = text;
    } catch (error) {
      this.#onFailure(error);
    }
  }
}

/** Returns the digest of a value's canonical text; `undefined` if it has none. */
export function digestOf(value: unknown): string | undefined {
  try {
    return hashCanonical(value, PROFILE);
  } catch {
    return undefined;
  }
}

const [OPEN, COMMA, CLOSE] = ["[", ",", "]"].map((text) => new TextEncoder().encode(text)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];

/** The digest of an array whose elements arrive one at a time. */
export class PartsDigest {
  /** The elements, if they are kept. */
  readonly parts: unknown[] | undefined;
  #sha256: Sha256Stream | undefined = createSha256();
  #count = 0;

  constructor(keepsParts: boolean) {
    this.parts = keepsParts ? [] : undefined;
  }

  add(part: unknown): void {
    this.parts?.push(part);
    try {
      const bytes = canonicalizeToBytes(part, PROFILE);
      this.#sha256?.update(this.#count++ === 0 ? OPEN : COMMA);
      this.#sha256?.update(bytes);
    } catch {
      this.#sha256 = undefined;
    }
  }

  /** Returns the digest of the array's canonical text; `undefined` if an element has none. Call it only once. */
  hex(): string | undefined {
    if (this.#count === 0) this.#sha256?.update(OPEN);
    this.#sha256?.update(CLOSE);
    return this.#sha256?.hex();
  }
}
