import {
  ContentHashError,
  createTextHasher,
  NORMALIZATION_LEVELS,
  type NormalizationLevel,
} from "@agentprint/content-hash";
import type { Progress, Source } from "./job.ts";
import { piecesOf } from "./read-source.ts";

/** A text, and an optional second one to compare it with. */
export interface TextInput {
  readonly first: Source;
  readonly second: Source;
}

/** The digest of a text at one level, or the reason why there is none. */
export type LevelDigest = { readonly digest: string } | { readonly refusal: string };

/** The digests at each level: the first text's, and the second's if there is one. */
export type TextResult = readonly {
  readonly level: NormalizationLevel;
  readonly digests: readonly LevelDigest[];
}[];

/** Returns the digests of one or two texts at every level. A file is read once, in pieces. */
export async function textJob(
  { first, second }: TextInput,
  onProgress: (progress: Progress) => void,
): Promise<TextResult> {
  const of = [await digestsOf(first, onProgress)];
  if (second !== "") of.push(await digestsOf(second, onProgress));
  return NORMALIZATION_LEVELS.map((level, index) => ({
    level,
    digests: of.flatMap((digests) => digests[index] ?? []),
  }));
}

async function digestsOf(source: Source, onProgress: (progress: Progress) => void): Promise<LevelDigest[]> {
  const hashers = NORMALIZATION_LEVELS.map((level) => new LevelHasher(level));
  const pieces = typeof source === "string" ? [source] : piecesOf(source, onProgress);
  for await (const piece of pieces) for (const hasher of hashers) hasher.update(piece);
  return hashers.map((hasher) => hasher.finish());
}

/** Hashes at one level until a piece is refused, because even a file that is not text has a digest of its bytes. */
class LevelHasher {
  readonly #hasher;
  #refusal: string | undefined;

  constructor(level: NormalizationLevel) {
    this.#hasher = createTextHasher(level);
  }

  update(piece: string | Uint8Array): void {
    if (this.#refusal === undefined) this.#try(() => this.#hasher.update(piece));
  }

  finish(): LevelDigest {
    let digest = "";
    if (this.#refusal === undefined) {
      this.#try(() => {
        digest = this.#hasher.digest();
      });
    }
    return this.#refusal === undefined ? { digest } : { refusal: this.#refusal };
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof ContentHashError)) throw error;
      this.#refusal = error.message;
    }
  }
}
