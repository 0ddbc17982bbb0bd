export type { ScaleLevel } from "../compare-texts.ts";
export { comparisonFindings, differenceInWords } from "./comparison-findings.ts";
export { COMPARISON_RULES } from "./comparison-rules.ts";
