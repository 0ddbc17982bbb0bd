export type { ContentKeys } from "./encrypt/content-keys.ts";
export type { ContentPlace } from "./encrypt/content-token.ts";
export { createKeyFolder } from "./encrypt/key-folder.ts";
export type { ContentState } from "./encrypt/open-contents.ts";
export {
  createMacKey,
  createSignatureKey,
  createSignatureVerifier,
  type EventKey,
  type EventVerifier,
  type SealMember,
} from "./envelope/event-keys.ts";
export type { EnvelopeRecord, OpenedContent, TextReason } from "./envelope/open-envelope.ts";
export { RecorderError, type RecorderErrorCode } from "./errors.ts";
export type { EventInput, EventKind, EventMembers, Outcome, OwnKind, RecordedEvent } from "./event/event.ts";
export { loadKeyFile } from "./key-file.ts";
export { type ReadEventsOptions, readEvents, type TrailEntry } from "./read/read-events.ts";
export type { Acknowledgement } from "./recorder/acknowledgement.ts";
export { createRecorder } from "./recorder/create-recorder.ts";
export type { RecordedThought, Recorder } from "./recorder/recorder.ts";
export type { CheckpointTarget, RecorderOptions } from "./recorder/recorder-options.ts";
export type { UnendedSession } from "./sink/sink.ts";
