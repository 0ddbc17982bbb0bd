export { MAX_DEPTH } from "./limits.ts";
export { reviewText } from "./pins/review-text.ts";
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
export { fingerprintWithWire } from "./tool/fingerprint-tool.ts";
