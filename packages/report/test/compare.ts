import { diffArrays } from "diff";
import type { CompareWords } from "../src/index.ts";

/** Compares words as the command does. */
export const compareWords: CompareWords = (before, after) =>
  diffArrays([...before], [...after], { maxEditLength: 1000 });
