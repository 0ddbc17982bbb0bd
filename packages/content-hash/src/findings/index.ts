export type { ScaleLevel } from "../scale.ts";
export { comparisonFindings, differenceInWords } from "./comparison-findings.ts";
export { COMPARISON_RULES } from "./comparison-rules.ts";
