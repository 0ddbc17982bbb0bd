import { createSha256, isUtf8 } from "#platform";
import { invalidData, isBytes } from "../bytes.ts";
import { CanonicalJsonError } from "../errors.ts";
import { byteOrderMark, invalidUtf8, tooLarge } from "../parse/decode-text.ts";
import type { ParseLimits } from "../parse/limits.ts";
import { wellFormedLength } from "../parse/well-formed-utf8.ts";
import type { Sha256Stream } from "../sha256.ts";
import { CanonicalStream } from "./canonical-stream.ts";
import type { TextWindow } from "./text-window.ts";

/**
 * Hashes the canonical text of JSON text that arrives in pieces. A piece may end anywhere, even inside a character.
 */
export interface JsonHasher {
  /**
   * Takes the next bytes of the text, in UTF-8. Its memory can be reused afterwards.
   *
   * @throws {@link CanonicalJsonError} `too-large` when the text is longer than allowed, and `invalid-argument` when
   * the piece is not bytes or when `digest` has ended the text.
   */
  update(piece: Uint8Array): void;
  /**
   * Ends the text and returns the SHA-256 of its canonical text as 64 lowercase hex digits. A second call returns or
   * throws the same.
   *
   * @throws {@link CanonicalJsonError} as `parseJson` does, with the same code, line, column and path.
   * @throws {@link CanonicalJsonError} `unordered-members` when an object longer than `maxObjectBytes` has a member out
   * of the order of UTF-16 code units, and `too-large` when a name or a number is longer than twice as many bytes. A
   * later `invalid-utf8` error has the path of that error, because reading ended there.
   */
  digest(): string;
}

/** The hasher that {@link createJsonHasher} returns. */
export class PieceHasher implements JsonHasher {
  readonly #sha256: Sha256Stream = createSha256();
  readonly #window: TextWindow;
  readonly #stream: CanonicalStream;
  readonly #maxBytes: number;
  #length = 0;
  /** The number of bytes at the start of the window whose encoding has been checked. */
  #checked = 0;
  #isIllFormed = false;
  #fault: CanonicalJsonError | undefined;
  #isEnded = false;
  #digest = "";

  constructor(limits: ParseLimits, maxBytes: number, window: TextWindow) {
    this.#window = window;
    this.#stream = new CanonicalStream(this.#sha256, limits, window);
    this.#maxBytes = maxBytes;
  }

  update(piece: Uint8Array): void {
    if (!isBytes(piece)) throw invalidData("update of a JSON hasher", "a Uint8Array", piece);
    if (this.#isEnded) {
      throw new CanonicalJsonError(
        "invalid-argument",
        "",
        "update of a JSON hasher: expected no more bytes after its digest",
      );
    }
    this.#length += piece.length;
    this.#checkLength();
    for (let rest = piece; rest.length > 0; ) {
      rest = this.#window.fill(rest);
      if (this.#window.isFull) this.#read(false);
    }
  }

  digest(): string {
    this.#checkLength();
    if (!this.#isEnded) {
      this.#isEnded = true;
      this.#read(true);
      if (this.#fault === undefined) this.#digest = this.#sha256.hex();
    }
    if (this.#fault !== undefined) throw this.#fault;
    return this.#digest;
  }

  #checkLength(): void {
    if (this.#length > this.#maxBytes) throw tooLarge(this.#maxBytes);
  }

  /**
   * Reads the bytes in the window. After a fault, it checks only the encoding, because errors in the encoding take
   * precedence.
   */
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

  /** Returns the number of bytes read, which from the first fault on is all of them. */
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
