import type { NormalizationLevel } from "../levels.ts";
import { createEolNormalizer } from "./eol.ts";
import { createLagovistaNormalizer } from "./lagovista.ts";
import type { ByteSink, Normalizer } from "./normalizer.ts";
import { createTrailingNormalizer } from "./trailing.ts";
import { createWhitespaceNormalizer } from "./whitespace.ts";

/** Returns the normalizer for a level. */
export function createNormalizer(level: NormalizationLevel, sink: ByteSink): Normalizer {
  switch (level) {
    case "bytes":
      return { push: (bytes) => sink.write(bytes), end() {} };
    case "eol":
      return withoutBom(createEolNormalizer((bytes) => sink.write(bytes)));
    case "trailing":
      return withoutBom(afterEol(createTrailingNormalizer(sink)));
    case "whitespace":
      return withoutBom(createWhitespaceNormalizer(sink));
    case "lagovista":
      return afterEol(createLagovistaNormalizer(sink));
  }
}

function afterEol(next: Normalizer): Normalizer {
  const eol = createEolNormalizer((bytes) => next.push(bytes));
  return { push: (bytes) => eol.push(bytes), end: () => next.end() };
}

/** Removes a U+FEFF at the start of the text. */
function withoutBom(next: Normalizer): Normalizer {
  let first = true;
  return {
    push(bytes) {
      const bom = first && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
      if (bytes.length > 0) first = false;
      next.push(bom ? bytes.subarray(3) : bytes);
    },
    end: () => next.end(),
  };
}
