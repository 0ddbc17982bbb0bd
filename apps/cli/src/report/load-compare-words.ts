import type { Report } from "@agentprint/findings";
import type { CompareWords } from "@agentprint/report";

/** Loads the word-by-word comparison; returns an empty object if the report has no two texts to compare. */
export async function loadCompareWords({ findings }: Report): Promise<{ compareWords?: CompareWords }> {
  if (!findings.some(({ before, after }) => before !== undefined && after !== undefined)) return {};
  const { diffArrays } = await import("diff/lib/diff/array.js");
  return {
    compareWords: (before, after, maxEdits) => diffArrays([...before], [...after], { maxEditLength: maxEdits }),
  };
}
