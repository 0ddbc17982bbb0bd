import { createSha256 } from "#sha256";
import { isUtf8 } from "#utf8";
import { CanonicalJsonError } from "./errors.ts";
import { checkNames, invalidOption } from "./options.ts";
import { byteOrderMark, invalidUtf8, tooLarge } from "./parse/decode-text.ts";
import { MAX_INPUT_BYTES, type ParseJsonOptions, type ParseLimits, resolveLimits } from "./parse/limits.ts";
import { wellFormedLength } from "./parse/well-formed-utf8.ts";
import { invalidData, isBytes, type Sha256Stream } from "./sha256.ts";
import { CanonicalStream } from "./stream/canonical-stream.ts";
import { TextWindow } from "./stream/text-window.ts";

/** How a text is read that comes in pieces. */
export interface JsonHasherOptions extends Pick<ParseJsonOptions, "losslessIntegers" | "maxDepth"> {
  /** Longest text accepted, in bytes. Default: any. */
  readonly maxBytes?: number | undefined;
  /**
   * Longest object, in bytes of the text, whose members may come in any order: it is held as a whole, in up to four times as much
   * memory. A longer one has its members in order. Default 512 KiB, at most 32 MiB.
   */
  readonly maxObjectBytes?: number | undefined;
}

/** A hash of the canonical text of a JSON text that comes in pieces. A piece may end anywhere, in a character, too. */
export interface JsonHasher {
  /**
   * Takes the next bytes of the text, in UTF-8. The memory of the piece can be used again afterwards.
   *
   * @throws {@link CanonicalJsonError} `too-large` when the text is longer than allowed, `invalid-argument` when the piece is not bytes.
   */
  update(piece: Uint8Array): void;
  /**
   * The SHA-256 of the canonical text, 64 lowercase hex digits. Call it once, last.
   *
   * @throws {@link CanonicalJsonError} as `parseJson` does, with the same code, line, column and path.
   * @throws {@link CanonicalJsonError} `unordered-members` when an object longer than `maxObjectBytes` has a member that does not follow
   * in the order of UTF-16 code units, `too-large` when a name or a number is longer than twice as many bytes.
   */
  digest(): string;
}

const DEFAULT_OBJECT_BYTES = 524_288;

/**
 * Hashes a JSON text piece by piece, as {@link hashJson} does a whole one. The canonical text is passed on to SHA-256 while the text
 * comes in, so that memory does not grow with it: an array is never held, and an object only up to `maxObjectBytes`.
 *
 * @returns A hasher, which throws every error of the text by its `digest`: an error at the end of the text wins over a digest.
 * @throws {@link CanonicalJsonError} `invalid-option` when an option is unknown or has a wrong type.
 *
 * @example
 * ```ts
 * import { createJsonHasher, hashJson } from "@agentprint/canonical-json";
 *
 * const hasher = createJsonHasher();
 * for (const piece of ['[{"b":1.0', ',"a":2}]']) hasher.update(new TextEncoder().encode(piece));
 * console.log(hasher.digest() === hashJson('[{"a":2,"b":1}]')); // true
 * ```
 */
export function createJsonHasher(options: JsonHasherOptions = {}): JsonHasher {
  checkNames(options, ["losslessIntegers", "maxDepth", "maxBytes", "maxObjectBytes"]);
  const { maxBytes = Number.POSITIVE_INFINITY, maxObjectBytes = DEFAULT_OBJECT_BYTES, ...rest } = options;
  if (!(typeof maxBytes === "number" && maxBytes >= 0)) throw invalidOption("maxBytes", "a number ≥ 0", maxBytes);
  const highest = MAX_INPUT_BYTES / 2;
  if (!(typeof maxObjectBytes === "number" && maxObjectBytes >= 0 && maxObjectBytes <= highest)) {
    throw invalidOption("maxObjectBytes", `a number from 0 to ${highest}`, maxObjectBytes);
  }
  return new PieceHasher(resolveLimits(rest), maxBytes, 2 * maxObjectBytes);
}

class PieceHasher implements JsonHasher {
  readonly #sha256: Sha256Stream = createSha256();
  readonly #window: TextWindow;
  readonly #stream: CanonicalStream;
  readonly #maxBytes: number;
  #length = 0;
  /** The first bytes of the window, whose encoding is checked. */
  #checked = 0;
  #isIllFormed = false;
  #fault: CanonicalJsonError | undefined;

  constructor(limits: ParseLimits, maxBytes: number, maxHeld: number) {
    this.#window = new TextWindow(maxHeld);
    this.#stream = new CanonicalStream(this.#sha256, limits, this.#window);
    this.#maxBytes = maxBytes;
  }

  update(piece: Uint8Array): void {
    if (!isBytes(piece)) throw invalidData("update of a JSON hasher", "a Uint8Array", piece);
    this.#length += piece.length;
    this.#checkLength();
    for (let rest = piece; rest.length > 0; ) {
      rest = this.#window.fill(rest);
      if (this.#window.isFull) this.#read(false);
    }
  }

  digest(): string {
    this.#checkLength();
    this.#read(true);
    if (this.#fault !== undefined) throw this.#fault;
    return this.#sha256.hex();
  }

  #checkLength(): void {
    if (this.#length > this.#maxBytes) throw tooLarge(this.#maxBytes);
  }

  /** Reads what the window holds. After a fault only the encoding is read on: its errors come first. */
  #read(isLast: boolean): void {
    const window = this.#window;
    const bytes = isLast ? window.bytes : window.wholeCharacters;
    const end = this.#isIllFormed ? 0 : this.#wellFormedEnd(bytes);
    const isWhole = end === bytes.length;
    if (isByteOrderMark(bytes) && window.bytesBefore(0) === 0) this.#fault = byteOrderMark();
    let read = this.#canonicalize(bytes.subarray(0, end), isLast || !isWhole);
    if (!isWhole && !this.#isIllFormed) {
      this.#isIllFormed = true;
      const position = { ...window.placeAt(end), offset: window.bytesBefore(end) };
      this.#fault = invalidUtf8(bytes[end], this.#fault?.path ?? "", position);
    }
    if (this.#isIllFormed) read = bytes.length;
    window.drop(read);
    this.#checked = bytes.length - read;
  }

  #wellFormedEnd(bytes: Uint8Array): number {
    const fresh = bytes.subarray(this.#checked);
    return isUtf8(fresh) ? bytes.length : this.#checked + wellFormedLength(fresh);
  }

  /** Returns how many bytes are read: all of them from the first fault on. */
  #canonicalize(text: Uint8Array, isLast: boolean): number {
    try {
      if (this.#fault === undefined) return this.#stream.read(text, isLast);
    } catch (error) {
      if (!(error instanceof CanonicalJsonError)) throw error;
      this.#fault = error;
    }
    return text.length;
  }
}

function isByteOrderMark([first, second, third]: Uint8Array): boolean {
  return first === 0xef && second === 0xbb && third === 0xbf;
}
