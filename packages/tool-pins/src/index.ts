export type { HintEffect } from "./changes/hint-changes.ts";
export { inexactIntegers } from "./changes/inexact-integers.ts";
export { type LayerChange, layerChanges } from "./changes/layer-changes.ts";
export { compareTools, compareToolsText, type PinChange, type ToolComparison } from "./compare-tools.ts";
export { ToolPinsError, type ToolPinsErrorCode } from "./errors.ts";
export type { JudgementOptions } from "./judgement/judge-comparison.ts";
export type { ToolFinding } from "./judgement/tool-place.ts";
export type { ToolRuleId } from "./judgement/tool-rules.ts";
export { MAX_DEPTH } from "./limits.ts";
export { formatPins, reviewText } from "./pins/format-pins.ts";
export { parsePins } from "./pins/parse-pins.ts";
export { type PinOptions, pinTools, pinToolsText } from "./pins/pin-tools.ts";
export type { PinnedTool, ToolPins } from "./pins/pins.ts";
export { findInvisible } from "./signals/find-invisible.ts";
export type { ProseSignal, SignalKind } from "./signals/prose-signal.ts";
export { type ProseSignalOptions, proseSignals } from "./signals/prose-signals.ts";
export {
  definitionSetHashV1,
  instructionsHashV1,
  readDefinitionV1,
  setHashOf,
  toolDefinitionHashV1,
} from "./tool/definition-hash.ts";
export { fingerprintTool, fingerprintWithWire, type ToolFingerprint } from "./tool/fingerprint-tool.ts";
export { LAYERS, type Layer, type ToolLayers, toolLayers } from "./tool/tool-layers.ts";
