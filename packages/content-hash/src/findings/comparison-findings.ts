import { type Finding, findingKinds } from "@agentprint/findings";
import { checkArgument } from "../check-argument.ts";
import type { TextComparison } from "../compare-texts.ts";
import { type ScaleLevel, STRICTEST_FIRST } from "../scale.ts";
import { COMPARISON_RULES } from "./comparison-rules.ts";

const byRule = /* @__PURE__ */ findingKinds(COMPARISON_RULES);

const WHAT_DIFFERS: Readonly<Record<ScaleLevel, string>> = {
  bytes: "nothing differs",
  eol: "only line endings or a byte order mark differ",
  trailing: "only white space at line ends or newlines at the end differ",
  whitespace: "only white space differs",
};

/**
 * Returns the findings about two texts compared at a level; none if they have the same bytes.
 *
 * @param subject The name of the two texts, as shown to readers.
 * @example
 * ```ts
 * import { compareTexts } from "@agentprint/content-hash";
 * import { comparisonFindings } from "@agentprint/content-hash/rules";
 *
 * const [finding] = comparisonFindings(compareTexts("a\r\n", "a\n"), "eol", "a.txt");
 * console.log(finding?.rule); // text/formatting-differs
 * ```
 */
export function comparisonFindings(comparison: TextComparison, level: ScaleLevel, subject: string): Finding[] {
  checkArgument("comparison", comparison, { warnings: "array" });
  const { equalAt, warnings } = comparison;
  if (equalAt === "bytes") return [];
  const what = differenceInWords(comparison);
  const isEqual = equalAt !== null && STRICTEST_FIRST.indexOf(equalAt) <= STRICTEST_FIRST.indexOf(level);
  const difference = isEqual
    ? byRule("text/formatting-differs", what)
    : byRule("text/differs", `${what}, at level ${level}`);
  const meaning = warnings.map((message) => byRule("text/meaningful-white-space", message));
  return [difference, ...meaning].map((kind) => ({ ...kind, place: { subject } }));
}

/** Describes in a few words what differs between two texts. */
export function differenceInWords(comparison: TextComparison): string {
  checkArgument("comparison", comparison, "object");
  const { equalAt } = comparison;
  return equalAt === null ? "the content differs" : WHAT_DIFFERS[equalAt];
}
