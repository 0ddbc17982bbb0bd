import { isJsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { Connection, Outgoing, Step } from "@agentprint/guard";
import { type HttpTarget, mirroredHeaders } from "@agentprint/mcp-visit";
import { judged } from "../in-order.ts";
import type { Recording } from "../record.ts";
import { ClientResponse } from "./client-response.ts";
import { type ClientPost, refuse } from "./endpoint.ts";
import { readEventStream } from "./event-stream.ts";
import { metadataUrl } from "./oauth-metadata.ts";
import { bytesOf, CODE, errorText, isRequest, isResponse } from "./rpc.ts";

/** Of one message of the server, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The headers of a client that go on to the server, beside those that were pinned. */
const PASSED = /^(?:authorization|accept|content-type|last-event-id|user-agent|mcp-.*|traceparent|tracestate|baggage)$/;

/** How an endpoint reaches its server. */
export interface RemoteOptions {
  /** The name of the server, by which clients find what it says about its authorization. */
  readonly server: string;
  /** Headers that are added, such as those of the launch where clients have a token of the guard. */
  readonly headers: Readonly<Record<string, string>>;
  readonly recording: Recording;
}

/** Where the messages of a connection go: each belongs to one of its exchanges. */
export interface ExchangeRouter {
  readonly connection: Connection;
  /** Writes what comes of a message of an exchange. */
  write(step: Step, from: Exchange, eventId?: string): Promise<void>;
}

/** One request of a client and all that the server is asked because of it. */
export class Exchange {
  /** The answer of the client. */
  readonly answer: ClientResponse;
  onSession: ((id: string) => void) | undefined;
  readonly #target: HttpTarget;
  readonly #post: ClientPost;
  readonly #isModern: boolean;
  readonly #options: RemoteOptions;
  /** Ends what the server is asked when the client leaves: closing the stream cancels the request. */
  readonly #gone = new AbortController();
  readonly #router: ExchangeRouter;

  constructor(router: ExchangeRouter, target: HttpTarget, post: ClientPost, isModern: boolean, options: RemoteOptions) {
    this.#router = router;
    this.#target = target;
    this.#post = post;
    this.#isModern = isModern;
    this.#options = options;
    this.answer = new ClientResponse(post.response, post.requests, isModern);
    post.response.once("close", () => this.#gone.abort());
  }

  async run(): Promise<void> {
    await this.#write(await judged(this.#router.connection, this.#post.body, this.#options.recording));
    if (this.#post.requests === 0) this.answer.end();
  }

  async listen(method: "GET" | "DELETE"): Promise<void> {
    const answered = await this.#fetch(method, undefined, {});
    if (!answered.ok || answered.body === null || method === "DELETE") {
      await answered.body?.cancel();
      refuse(this.#post.response, answered.status);
      return;
    }
    this.answer.begin();
    await this.#readStream(answered);
    this.answer.end();
  }

  /** Asks the server; what it answers goes on to whoever waits for it. */
  async send(outgoing: Outgoing): Promise<void> {
    const { message, value, origin } = outgoing;
    // A message of the guard has headers of its own; the client's were compared with another body.
    const mirrored = origin === "guard" && this.#isModern && isJsonObject(value) ? mirroredHeaders(value as never) : {};
    try {
      const answered = await this.#fetch("POST", bytesOf(message), mirrored);
      await this.#take(answered, outgoing);
    } catch (error) {
      // For what the guard asks, other calls may wait.
      if (!this.#gone.signal.aborted || origin === "guard")
        await this.#fail(value, error instanceof Error ? error.name : "Error");
    }
  }

  async #take(answered: Response, outgoing: Outgoing): Promise<void> {
    const { value: asked, origin } = outgoing;
    const session = answered.headers.get("mcp-session-id");
    if (session !== null && !this.#isModern) {
      this.onSession?.(session);
      this.answer.setHeader("mcp-session-id", session);
    }
    const type = answered.headers.get("content-type") ?? "";
    if (answered.ok && /^text\/event-stream\b/i.test(type)) {
      const isAnswered = await this.#readStream(answered, outgoing);
      // The client can ask for what is missing of its own request, where the server has said from where.
      if (isAnswered) return;
      if (origin === "forwarded" && !this.#isModern) this.answer.end();
      else await this.#fail(asked, "the stream ended");
      return;
    }
    const bytes = await readAll(answered);
    const isJson = /^application\/json\b/i.test(type) && bytes.length > 0;
    if (!answered.ok) this.#passStatus(answered);
    if (isJson && (answered.ok || isAnswerTo(asked, bytes))) {
      return this.#write(this.#router.connection.fromServer(bytes));
    }
    if (!answered.ok) await this.#fail(asked, `HTTP status ${answered.status}`);
  }

  /**
   * The client gets the status of the server. Where the server wants another authorization, the client is told where the metadata of
   * the server is, behind the guard.
   */
  #passStatus({ status, headers }: Response): void {
    this.answer.setStatus(status);
    const challenge = headers.get("www-authenticate");
    if (challenge === null) return;
    const url = metadataUrl(this.#post.headers.host ?? "", this.#options.server);
    const ours = challenge.replace(/resource_metadata="[^"]*"/g, () => `resource_metadata="${url}"`);
    this.answer.setHeader("www-authenticate", ours);
  }

  /** Whether the answer to what was asked was in the stream. */
  async #readStream(answered: Response, asked?: Outgoing): Promise<boolean> {
    const open = new Set(
      messagesOf(asked?.value)
        .filter(isRequest)
        .map(({ id }) => id),
    );
    for await (const { data, id, retry } of readEventStream(answered.body as never, MAX_BYTES)) {
      if (data.length === 0) {
        if (id !== undefined) this.answer.prime(id, retry);
        continue;
      }
      const step = this.#router.connection.fromServer(data);
      const values = step.toClient.flatMap(({ value }) => messagesOf(value));
      // What the guard asked, no client is answered.
      if (asked?.origin === "guard") values.push(...messagesOf(parse(data)));
      for (const value of values) if (isResponse(value)) open.delete(value["id"]);
      await this.#write(step, id);
    }
    return open.size === 0;
  }

  /** Whoever waits for an answer to a message gets an error. */
  async #fail(asked: JsonValue, reason: string): Promise<void> {
    for (const message of messagesOf(asked)) {
      if (!isRequest(message)) continue;
      const text = errorText(message["id"], CODE.internal, `The server could not be asked: ${reason}`);
      await this.#write(this.#router.connection.fromServer(text));
    }
  }

  #write(step: Step, eventId?: string): Promise<void> {
    return this.#router.write(step, this, eventId);
  }

  #fetch(method: string, body: Uint8Array | undefined, mirrored: Readonly<Record<string, string>>): Promise<Response> {
    const pinned =
      this.#target.launch.type === "http" ? this.#target.launch.headers.map((name) => name.toLowerCase()) : [];
    const given = Object.entries(this.#post.headers).flatMap(([name, value]): [string, string][] =>
      (PASSED.test(name) || pinned.includes(name)) && typeof value === "string" ? [[name, value]] : [],
    );
    return fetch(this.#target.url, {
      method,
      headers: { ...Object.fromEntries(given), ...this.#options.headers, ...mirrored },
      // A redirect would take the client's authorization elsewhere.
      redirect: "error",
      signal: this.#gone.signal,
      ...(body && { body: body as Uint8Array<ArrayBuffer> }),
    });
  }
}

async function readAll(answered: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (answered.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new RangeError("the answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Whether bytes are the answer to a request, and no error that belongs to none. */
function isAnswerTo(asked: JsonValue, bytes: Uint8Array): boolean {
  const answer = parse(bytes);
  return isRequest(asked) && isResponse(answer) && answer["id"] === asked["id"];
}

function parse(bytes: Uint8Array): JsonValue | undefined {
  try {
    return JSON.parse(Buffer.from(bytes).toString()) as JsonValue;
  } catch {
    return undefined;
  }
}

function messagesOf(value: JsonValue | undefined): readonly (JsonValue | undefined)[] {
  return Array.isArray(value) ? value : [value];
}
