import type { NormalizationLevel } from "./levels.ts";

/** The levels that form a scale: texts that are equal at one level are also equal at all levels that ignore more. */
export type ScaleLevel = Exclude<NormalizationLevel, "lagovista">;

/** The levels of the scale, from the strictest. */
export const STRICTEST_FIRST: readonly ScaleLevel[] = ["bytes", "eol", "trailing", "whitespace"];
