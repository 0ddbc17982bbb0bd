export type { ContentKeys } from "./encrypt/content-keys.ts";
export type { ContentPlace } from "./encrypt/content-token.ts";
export { decryptContent } from "./encrypt/decrypt-content.ts";
export type { ContentState } from "./encrypt/open-contents.ts";
export {
  createMacKey,
  createSignatureKey,
  createSignatureVerifier,
  type EventKey,
  type EventVerifier,
  type SealMember,
} from "./envelope/event-keys.ts";
export { type EnvelopeRecord, type OpenedContent, openEnvelope, type TextReason } from "./envelope/open-envelope.ts";
export { type SealedFields, sealEvent } from "./envelope/seal-event.ts";
export { RecorderError, type RecorderErrorCode } from "./errors.ts";
export type { EventInput, EventKind, EventMembers, Outcome, OwnKind, RecordedEvent } from "./event/event.ts";
export { EVENT_KINDS, type KindRule } from "./event/event-kinds.ts";
export { type ReadEventsOptions, readEvents, type TrailEntry } from "./read/read-events.ts";
