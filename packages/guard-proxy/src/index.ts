export { type Gate, InOrder, notRecorded, recorded } from "./in-order.ts";
export { AFTER_INPUT, AFTER_SIGNAL, GRACE, MAX_LINE_BYTES } from "./limits.ts";
export { MessageSink, NOT_READ, type OnLine, pumpLines, withoutLog } from "./message-pump.ts";
export { passStderr } from "./pass-stderr.ts";
export type { PinnedServer } from "./pinned-server.ts";
export type { ProxyOutput } from "./proxy-output.ts";
export type { Recording } from "./recording.ts";
