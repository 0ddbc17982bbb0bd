import type { ServerResponse } from "node:http";

/** In bytes. The copy of a longer body would cost more than the second write that it saves. */
const MAX_COPIED = 64 * 1024;

/** Ends an answer with a body. A short one is given as text, a unit a byte, because Node writes text together with the headers. */
export function endWith(answer: ServerResponse, body: Uint8Array): void {
  if (body.length > MAX_COPIED) answer.end(body);
  else answer.end(Buffer.from(body.buffer, body.byteOffset, body.length).toString("latin1"), "latin1");
}
