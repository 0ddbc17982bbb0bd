export { inexactIntegers } from "../changes/inexact-integers.ts";
export { type LayerChange, layerChanges } from "../changes/layer-changes.ts";
export { MAX_DEPTH } from "../limits.ts";
export { reviewText } from "../pins/review-text.ts";
export { findInvisible } from "../signals/find-invisible.ts";
export { findMixedScript } from "../signals/find-mixed-script.ts";
export { NameIndex } from "../signals/find-names.ts";
export { skeletonOf } from "../signals/look-alikes.ts";
export type { ProseSignal, SignalKind } from "../signals/prose-signal.ts";
export { newElements, type ProseSignalOptions, proseSignals } from "../signals/prose-signals.ts";
export { textsOf, textsOfItem } from "../signals/texts-of.ts";
export { varyingSignals } from "../signals/varying-signals.ts";
export {
  definitionSetHashV1,
  instructionsHashV1,
  readDefinitionV1,
  setHashOf,
  toolDefinitionHashV1,
} from "../tool/definition-hash.ts";
export { fingerprintWithWire } from "../tool/fingerprint-tool.ts";
export { diffTools, hasOtherContract } from "./diff-tools.ts";
export { faultsOf, findingOfFault } from "./fault-findings.ts";
export { findingsOfNewSchemas, findingsOfNewTexts } from "./item-findings.ts";
export type { Judge } from "./judge.ts";
export { keywordAt } from "./keyword-at.ts";
export { equalRenames, type MatchRenames, type Rename, similarityOf } from "./match-renames.ts";
export { newFaults, type SchemaFault, schemaFaults } from "./schema-faults.ts";
export { isDraft, newContractTexts, type SchemaText } from "./schema-texts.ts";
export type { BareVerdict, BreakCause, EditEffect, Opening, OpeningKind, SchemaVerdict } from "./schema-verdict.ts";
export { knownNames, signalNote, signalsOf } from "./signals-of.ts";
export type {
  ChangedTool,
  CommonHash,
  FingerprintedTool,
  RenamedTool,
  ToolChange,
  ToolChanges,
  ToolDrift,
} from "./tool-drift.ts";
export { type ContractReading, findingsOfTool, type LayeredFinding, placeAbove } from "./tool-findings.ts";
export { located, placeOfTool, type ToolFinding } from "./tool-place.ts";
export { type ToolFindingKind, type ToolRuleId, type ToolRuleLevels, toolFinding } from "./tool-rules.ts";
