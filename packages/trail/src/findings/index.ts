export { chainFindings, chainSubject, uncoveredFinding } from "./chain-findings.ts";
export { CHAIN_RULES, type ChainRuleId } from "./chain-rules.ts";
