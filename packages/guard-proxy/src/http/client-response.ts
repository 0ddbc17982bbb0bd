import type { ServerResponse } from "node:http";
import { isJsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { Outgoing, Step } from "@agentprint/guard";
import { errorCode, isNotification, isResponse, RPC_ERROR } from "@agentprint/mcp";
import { bytesOf, errorText } from "../rpc.ts";
import { type ClientPost, refuse } from "./endpoint.ts";
import { fitsAnswer, NO_ROOM } from "./exchange-room.ts";

/** The interval of comments in an idle stream, in milliseconds; they keep intermediaries from closing it. */
const KEEP_ALIVE = 15_000;

/**
 * The maximum number of bytes that may wait for one client to read them. The connection of a client that stops reading
 * is closed.
 */
const MAX_UNREAD = 64 * 1024 * 1024;

/** The HTTP status of each error code in the new era. */
const STATUS: Readonly<Record<number, number>> = {
  [RPC_ERROR.parse]: 400,
  [RPC_ERROR.invalidRequest]: 400,
  [RPC_ERROR.methodNotFound]: 404,
  [RPC_ERROR.headerMismatch]: 400,
  [RPC_ERROR.missingClientCapability]: 400,
  [RPC_ERROR.unsupportedVersion]: 400,
};

/**
 * The answer to one POST: a JSON object if the first message is the last one, or else a stream of events that ends with
 * the last response.
 */
export class ClientResponse {
  readonly #response: ServerResponse;
  readonly #isModern: boolean;
  /** The number of outstanding responses. */
  #open: number;
  readonly #isSingle: boolean;
  readonly #keepAlive: NodeJS.Timeout;
  #isStream = false;
  #hasHeaders = true;
  #status: number | undefined;

  constructor(response: ServerResponse, open: number, isModern: boolean) {
    this.#response = response;
    this.#isModern = isModern;
    this.#open = open;
    this.#isSingle = open === 1;
    this.#keepAlive = setInterval(() => this.#comment(), KEEP_ALIVE).unref();
    response.on("close", () => clearInterval(this.#keepAlive));
  }

  /** Returns whether the client has disconnected, or nothing more will be sent. */
  get isDone(): boolean {
    return this.#response.writableEnded || this.#response.destroyed;
  }

  /** Delays the start of a stream until further headers are set, such as a session's name. */
  waitForHeaders(): void {
    this.#hasHeaders = false;
  }

  /** Sets the status of an answer that is not a stream, instead of the default status for its message. */
  setStatus(status: number): void {
    this.#status = status;
  }

  /** Sets a header of an answer that has not begun. */
  setHeader(name: string, value: string): void {
    if (!this.#response.headersSent) this.#response.setHeader(name, value);
  }

  send({ message, value }: Pick<Outgoing, "message" | "value">, eventId?: string): void {
    if (this.isDone) return;
    const isLast = isResponse(isJsonObject(value) ? value : undefined) && --this.#open <= 0;
    const bytes = bytesOf(message);
    if (!fitsAnswer(this.#response, this.#response.writableLength + bytes.length)) {
      this.#refuse(isJsonObject(value) ? value["id"] : undefined);
      return;
    }
    if (isLast && this.#isSingle && !this.#isStream) {
      const status =
        this.#status ?? ((this.#isModern && STATUS[errorCode(isJsonObject(value) ? value : undefined) ?? 0]) || 200);
      this.#response.writeHead(status, { "content-type": "application/json", "content-length": bytes.length });
      endWith(this.#response, bytes);
      return;
    }
    this.#begin();
    const id = eventId === undefined ? "" : `id: ${eventId}\n`;
    // A line break in a message is JSON white space, so each line of the message can be a line of data.
    const data = Buffer.from(bytes)
      .toString()
      .split(/\r\n|\r|\n/)
      .join("\ndata: ");
    this.#response.write(`${id}event: message\ndata: ${data}\n\n`);
    if (isLast) this.#response.end();
    else if (this.#response.writableLength > MAX_UNREAD) this.#response.destroy();
  }

  /** Ends a finished stream, or acknowledges a message. */
  end(): void {
    if (this.isDone) return;
    if (!this.#isStream) this.#response.writeHead(this.#status ?? 202);
    this.#response.end();
  }

  /** Ends an answer for which the guard has no message, because not even the id of the request is readable. */
  endUnanswered(): void {
    if (this.isDone || this.#isStream) return;
    const bytes = Buffer.from(errorText(undefined, RPC_ERROR.invalidRequest, "Refused by the guard"));
    this.#response.writeHead(400, { "content-type": "application/json", "content-length": bytes.length });
    endWith(this.#response, bytes);
  }

  /** Begins a stream with an event id to resume from, and the milliseconds after which a client may reconnect. */
  prime(eventId: string, retry: string | undefined): void {
    if (this.isDone) return;
    this.#begin();
    this.#response.write(`id: ${eventId}\n${retry === undefined ? "" : `retry: ${retry}\n`}data: \n\n`);
  }

  /** Begins a stream before there is a message. */
  begin(): void {
    this.#begin();
    this.#response.flushHeaders();
  }

  /** Ends an answer for which there is no memory. A stream breaks off, because its status was already sent. */
  #refuse(id: JsonValue | undefined): void {
    if (this.#response.headersSent) this.#response.destroy();
    this.setHeader("retry-after", "1");
    refuse(this.#response, 503, errorText(id, RPC_ERROR.internal, NO_ROOM));
  }

  #begin(): void {
    if (this.#isStream) return;
    this.#isStream = true;
    this.#response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
  }

  #comment(): void {
    if (this.isDone || !(this.#isStream || this.#hasHeaders)) return;
    this.#begin();
    this.#response.write(":\n\n");
  }
}

/** Ends an answer that receives no further message because the client's message had no requests or was dropped. */
export function endWhereDone(
  answer: ClientResponse,
  { action, toServer, toClient }: Step,
  { value, requests }: Pick<ClientPost, "value" | "requests">,
): void {
  const isDropped = action === "answer" && toServer.length + toClient.length === 0;
  if (isDropped && !isNotification(value) && !isResponse(value)) answer.endUnanswered();
  else if (requests === 0) answer.end();
}

/** In bytes. Copying a longer body would cost more than the second write that it saves. */
const MAX_COPIED = 64 * 1024;

/**
 * Ends an answer with a body. A short body is given as text, one code unit per byte, because Node writes text together
 * with the headers.
 */
export function endWith(answer: ServerResponse, body: Uint8Array): void {
  if (body.length > MAX_COPIED) answer.end(body);
  else answer.end(Buffer.from(body.buffer, body.byteOffset, body.length).toString("latin1"), "latin1");
}
