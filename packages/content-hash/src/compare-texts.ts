import { computeTextHash } from "./compute-text-hash.ts";
import { languageOf } from "./meaning/languages.ts";
import { findMeaningfulBreaks } from "./meaning/line-breaks.ts";
import { type ScaleLevel, STRICTEST_FIRST } from "./scale.ts";

/** How alike two texts are. */
export interface TextComparison {
  /** The strictest level at which the texts are equal; `null` if they differ at every level. */
  readonly equalAt: ScaleLevel | null;
  /** Whether the texts differ only in formatting. */
  readonly formattingOnly: boolean;
  /** Reasons why a difference in formatting may change the meaning. */
  readonly warnings: readonly string[];
}

/**
 * Compares two texts at each level, from the strictest to the most lenient, and reports whether only formatting
 * changed. `warnings` says where such a difference may change the meaning: at a line break after a comment, a backslash
 * or a keyword, in text between quotes that span several lines, and at white space and line breaks in languages in
 * which they have a meaning. The language follows from the file name at the end of `path`. The file itself is not read.
 *
 * Specification: 5.4 "Semantic No-Change Detection".
 *
 * @throws {@link ContentHashError} `MALFORMED_TEXT` when a text has a lone surrogate, `INVALID_CONTENT` when it is not
 * a string.
 *
 * @example
 * ```ts
 * import { compareTexts } from "@agentprint/content-hash";
 *
 * console.log(compareTexts("a\r\nb", "a\nb").equalAt); // "eol"
 * console.log(compareTexts("if x:\n  y()\nz()", "if x:\n  y()\n  z()", { path: "run.py" }).warnings.length); // 1
 * ```
 */
export function compareTexts(before: string, after: string, options: { path?: string } = {}): TextComparison {
  const equalAt =
    STRICTEST_FIRST.find((level) => computeTextHash(before, level) === computeTextHash(after, level)) ?? null;
  const formattingOnly = equalAt !== null && equalAt !== "bytes";
  if (!formattingOnly || equalAt === "eol") return { equalAt, formattingOnly, warnings: [] };
  const language = options.path === undefined ? undefined : languageOf(options.path);
  const breaks = findMeaningfulBreaks(before, after, language);
  if (equalAt === "trailing" || !language?.hasIndentation) return { equalAt, formattingOnly, warnings: breaks };
  const indentation = `white space has a meaning in ${language.name}: the texts may differ in more than formatting`;
  return { equalAt, formattingOnly, warnings: [indentation, ...breaks] };
}
