import { diffArrays } from "diff";
import type { CompareWords } from "../src/index.ts";

/** Compares words as the command does. */
export const compareWords: CompareWords = (before, after, maxEdits) =>
  diffArrays([...before], [...after], { maxEditLength: maxEdits });
