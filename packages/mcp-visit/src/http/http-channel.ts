import { setTimeout as sleep } from "node:timers/promises";
import { type Era, isRpcRequest, type RequestId, type RpcMessage } from "@agentprint/mcp";
import { mirroredHeaders } from "@agentprint/mcp/headers";
import type { Channel, ChannelEvents } from "../channel/channel.ts";
import { parseMessage, parseMessages } from "../channel/parse-message.ts";
import { VisitError } from "../errors.ts";
import type { Survivor } from "../survivor.ts";
import type { HttpTarget } from "../target.ts";
import { readEvents, type StreamPosition } from "./event-stream.ts";
import { HttpClient, mediaType, readBody, refusal, shown } from "./http-client.ts";

/** How long {@link HttpChannel.close} waits for an answer when it ends the session, in milliseconds. */
const GRACE = 1000;
/** The pause before a broken stream is opened again, unless the server specifies one, in milliseconds. */
const RETRY = 1000;
const ACCEPT = "application/json, text/event-stream";

/**
 * Streamable HTTP in both eras: each message is a POST, and its answer is the response, as JSON or as an event stream.
 * Features of only the handshake versions (a session, a separate notification stream, streams that resume after a
 * break) are used once a handshake has agreed on a version.
 */
export class HttpChannel implements Channel {
  readonly #era: Era;
  readonly #client: HttpClient;
  readonly #closing = new AbortController();
  readonly #open = new Map<RequestId, AbortController>();
  #events: ChannelEvents | undefined;
  #session: string | undefined;
  #agreed: string | undefined;

  constructor(era: Era, target: HttpTarget, userAgent: string, maxBytes: number) {
    this.#era = era;
    this.#client = new HttpClient(target, userAgent, maxBytes);
  }

  open(events: ChannelEvents): Promise<void> {
    this.#events = events;
    return Promise.resolve();
  }

  stderrTail(): string {
    return "";
  }

  logged(): undefined {}

  agreeOn(version: string): void {
    this.#agreed = version;
  }

  cancel(id: RequestId): void {
    this.#open.get(id)?.abort();
  }

  async send(message: RpcMessage, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    const controller = new AbortController();
    const signal = AbortSignal.any([controller.signal, this.#closing.signal]);
    const id = isRpcRequest(message) ? message.id : undefined;
    if (id !== undefined) this.#open.set(id, controller);
    try {
      const response = await this.#client.fetch({
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: ACCEPT,
          ...this.#sessionHeaders(),
          ...mirroredHeaders(message),
          ...headers,
        },
        body: JSON.stringify(message),
        signal,
      });
      if (!response.ok) throw await refusal(response, this.#client.budget);
      if (this.#era === "legacy") this.#session ??= response.headers.get("mcp-session-id") ?? undefined;
      if (id === undefined) await response.body?.cancel();
      else await this.#readAnswer(response, id, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      if (id !== undefined) this.#open.delete(id);
    }
  }

  async listen(): Promise<void> {
    const response = await this.#get({}, this.#closing.signal).catch(() => undefined);
    if (response === undefined) return;
    if (!response.ok || mediaType(response) !== "text/event-stream") return response.body?.cancel();
    void this.#keepListening(response);
  }

  async close(): Promise<readonly Survivor[]> {
    this.#events = undefined;
    this.#closing.abort();
    // All answers have been read, so it does not matter if the server refuses to end the session or never answers.
    if (this.#session !== undefined) {
      const call = { method: "DELETE", headers: this.#sessionHeaders(), signal: AbortSignal.timeout(GRACE) } as const;
      await this.#client
        .fetch(call)
        .then((response) => response.body?.cancel())
        .catch(() => undefined);
    }
    return [];
  }

  #sessionHeaders(): Record<string, string> {
    return {
      ...(this.#session !== undefined && { "mcp-session-id": this.#session }),
      ...(this.#agreed !== undefined && { "mcp-protocol-version": this.#agreed }),
    };
  }

  async #readAnswer(response: Response, id: RequestId, signal: AbortSignal): Promise<void> {
    let answered = false;
    const receive = (message: RpcMessage): void => {
      answered ||= !("method" in message) && message.id === id;
      this.#events?.message(message);
    };
    const type = mediaType(response);
    if (type === "application/json") {
      for (const message of parseMessages(await readBody(response, this.#client.budget))) receive(message);
    } else if (type === "text/event-stream") {
      await this.#readStream(response, receive, () => answered, signal);
    } else {
      await response.body?.cancel();
      throw new VisitError("server-unreachable", `the server answered with the content type ${shown(type || "none")}`, {
        expected: "application/json or text/event-stream",
        fix: "check that the URL leads to an MCP server",
        httpStatus: response.status,
      });
    }
    if (!answered) {
      throw new VisitError("server-unreachable", "the server ended its response without an answer", {
        expected: "an answer to the request",
      });
    }
  }

  /** Reads a stream. In a session, the stream is opened again after its last event until the answer has arrived. */
  async #readStream(
    first: Response,
    receive: (message: RpcMessage) => void,
    done: () => boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const position: StreamPosition = {};
    for (let response = first; ; ) {
      await this.#read(response, position, receive);
      if (done() || position.lastEventId === undefined || this.#agreed === undefined) return;
      await sleep(position.retry ?? RETRY, undefined, { signal });
      response = await this.#get({ "last-event-id": position.lastEventId }, signal);
      if (!response.ok) throw await refusal(response, this.#client.budget);
    }
  }

  async #keepListening(first: Response): Promise<void> {
    const { signal } = this.#closing;
    const position: StreamPosition = {};
    try {
      for (let response = first; response.ok; ) {
        await this.#read(response, position, (message) => this.#events?.message(message)).catch(rethrowGarbage);
        await sleep(position.retry ?? RETRY, undefined, { signal });
        const { lastEventId } = position;
        response = await this.#get(lastEventId === undefined ? {} : { "last-event-id": lastEventId }, signal);
      }
    } catch (error) {
      // A server may end the notification stream at any time; that is not a failure.
      if (error instanceof VisitError && error.code !== "server-unreachable") this.#events?.failure(error);
    }
  }

  async #read(response: Response, position: StreamPosition, receive: (message: RpcMessage) => void): Promise<void> {
    await readEvents(response, this.#client.budget, position, (type, data) => {
      if (type === "message") receive(parseMessage(data));
    });
  }

  #get(headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
    const accept = { accept: "text/event-stream" };
    return this.#client.fetch({ method: "GET", headers: { ...accept, ...this.#sessionHeaders(), ...headers }, signal });
  }
}

/**
 * Lets a broken notification stream be opened again, but rethrows the error for a stream that carried something other
 * than MCP messages.
 */
function rethrowGarbage(error: unknown): void {
  if (error instanceof VisitError && error.code === "server-unreachable") return;
  throw error;
}
