import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { isJsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { Connection, Guard, Outgoing, Step } from "@agentprint/guard";
import { MODERN_VERSIONS, type RunningServer, type StdioTarget, startServer } from "@agentprint/mcp-visit";
import type { Context } from "../../context.ts";
import { recorded } from "../in-order.ts";
import { GRACE, MAX_LINE_BYTES } from "../limits.ts";
import { MessageSink, type OnLine, pumpLines } from "../message-pump.ts";
import type { Recording } from "../record.ts";
import { ClientResponse } from "./client-response.ts";
import { type ClientPost, type Endpoint, refuse } from "./endpoint.ts";
import { ModernProcess } from "./modern-process.ts";
import { bytesOf, CODE, errorText, isRequest, isResponse, param, VERSION_KEY } from "./rpc.ts";

/** Sessions of one server at the same time: each has a process. The one that was not used for the longest time goes. */
const MAX_SESSIONS = 100;
/** Messages that wait for a client to listen, and their bytes. */
const MAX_QUEUE = 1000;
const MAX_QUEUED_BYTES = 16 * 1024 * 1024;

/** Streamable HTTP in front of a server that is started as a command. */
export class StdioEndpoint implements Endpoint {
  readonly guard: Guard;
  readonly #context: Context;
  readonly #recording: Recording;
  readonly #target: StdioTarget;
  readonly #modern: ModernProcess;
  readonly #sessions = new Map<string, Session>();

  constructor(context: Context, target: StdioTarget, guard: Guard, recording: Recording) {
    this.#recording = recording;
    this.guard = guard;
    this.#context = context;
    this.#target = target;
    this.#modern = new ModernProcess(context, target, guard, recording);
  }

  async postModern({ body, value, response, requests }: ClientPost): Promise<void> {
    const requested = param(value, "_meta", VERSION_KEY);
    // A server that speaks with one client looks at the version of the first request alone; here, there are many clients.
    if (isRequest(value) && !MODERN_VERSIONS.includes(String(requested))) {
      const data = { supported: [...MODERN_VERSIONS], requested: requested ?? null };
      refuse(response, 400, errorText(value["id"], CODE.unsupportedVersion, "Unsupported protocol version", data));
      return;
    }
    const answer = new ClientResponse(response, requests, true);
    const connection = this.guard.connect({ onOutput: (step) => void this.#modern.deliver(caller, step) });
    const caller = { connection, response: answer };
    response.once("close", () => {
      // Where the last response was sent, nobody waits for anything.
      void this.#modern.forget(caller);
      connection.close();
    });
    await this.#modern.deliver(caller, connection.fromClient(body));
    if (requests === 0) answer.end();
  }

  async postLegacy({ body, value, headers, response, requests }: ClientPost): Promise<void> {
    const id = headers["mcp-session-id"];
    const isFirst = id === undefined && isJsonObject(value) && value["method"] === "initialize";
    const session = isFirst ? await this.#open() : this.#sessions.get(String(id));
    if (session === undefined) {
      const text = id === undefined ? "Mcp-Session-Id is missing" : "The session has ended";
      refuse(response, id === undefined ? 400 : 404, errorText(undefined, -32001, text));
      return;
    }
    this.#sessions.delete(session.id);
    this.#sessions.set(session.id, session);
    const answer = new ClientResponse(response, requests, false);
    if (isFirst) answer.setHeader("mcp-session-id", session.id);
    await session.post(body, value, answer);
    if (requests === 0) answer.end();
  }

  async session(method: "GET" | "DELETE", headers: IncomingHttpHeaders, response: ServerResponse): Promise<void> {
    const id = headers["mcp-session-id"];
    const session = this.#sessions.get(String(id));
    if (session === undefined) {
      response.setHeader("allow", "POST");
      refuse(response, id === undefined ? 405 : 404);
      return;
    }
    if (method === "GET") {
      session.listen(new ClientResponse(response, Number.POSITIVE_INFINITY, false));
      return;
    }
    await session.close();
    refuse(response, 204);
  }

  async close(): Promise<void> {
    await Promise.all([this.#modern.close(), ...[...this.#sessions.values()].map((session) => session.close())]);
  }

  async #open(): Promise<Session> {
    const [oldest] = this.#sessions.values();
    if (oldest && this.#sessions.size >= MAX_SESSIONS) await oldest.close();
    const server = await startServer(this.#target);
    const onEnd = () => this.#sessions.delete(session.id);
    const session = new Session(this.#context, server, this.guard, this.#recording, onEnd);
    this.#sessions.set(session.id, session);
    return session;
  }
}

/** Where the messages about a request go, and the JSON text of its progress token. */
interface Waiting {
  readonly answer: ClientResponse;
  readonly token: string | undefined;
}

/** One client of an era with the handshake, and its process. */
class Session {
  readonly id: string = randomUUID();
  readonly #server: RunningServer;
  readonly #sink: MessageSink;
  readonly #connection: Connection;
  readonly #recording: Recording;
  readonly #onEnd: () => void;
  /** The requests that wait for a response, by the JSON text of the id. */
  readonly #waiting = new Map<string, Waiting>();
  #listening: ClientResponse | undefined;
  #queue: Outgoing[] = [];
  #queuedBytes = 0;
  #hasEnded = false;

  constructor(context: Context, server: RunningServer, guard: Guard, recording: Recording, onEnd: () => void) {
    this.#server = server;
    this.#recording = recording;
    this.#sink = new MessageSink(server.stdin);
    this.#onEnd = onEnd;
    this.#connection = guard.connect({ session: () => this.id, onOutput: (step) => void this.#deliver(step) });
    server.stderr.on("data", (chunk: Uint8Array) => context.stderr.write(chunk));
    const take: OnLine = ({ text }) => void this.#deliver(this.#connection.fromServer(text));
    void pumpLines(server.stdout, [], MAX_LINE_BYTES, take).then(() => this.close());
  }

  async post(body: Uint8Array, value: JsonValue | undefined, answer: ClientResponse): Promise<void> {
    // A request whose client is gone, such as a cancelled one, may never get a response.
    for (const [id, waiting] of this.#waiting) if (waiting.answer.isDone) this.#waiting.delete(id);
    for (const message of Array.isArray(value) ? value : [value]) {
      if (!isRequest(message)) continue;
      const token = JSON.stringify(param(message, "_meta", "progressToken"));
      this.#waiting.set(JSON.stringify(message["id"]), { answer, token });
    }
    await this.#deliver(this.#connection.fromClient(body));
  }

  listen(answer: ClientResponse): void {
    this.#listening?.end();
    this.#listening = answer;
    answer.begin();
    const queue = this.#queue;
    this.#queue = [];
    this.#queuedBytes = 0;
    for (const outgoing of queue) answer.send(outgoing);
  }

  async close(): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#onEnd();
    await this.#deliver(this.#connection.close());
    for (const [id, { answer }] of this.#waiting) {
      const value = { jsonrpc: "2.0", id: JSON.parse(id), error: { code: -32603, message: "The server ended" } };
      answer.send({ message: JSON.stringify(value), value });
    }
    this.#listening?.end();
    await this.#server.close(GRACE);
  }

  async #deliver(step: Step): Promise<void> {
    const { toServer, toClient } = await recorded(step, this.#connection, this.#recording);
    this.#sink.send(toServer);
    for (const outgoing of toClient) this.#route(outgoing);
  }

  #route(outgoing: Outgoing): void {
    const { value } = outgoing;
    if (isJsonObject(value) && isResponse(value)) {
      const id = JSON.stringify(value["id"]);
      this.#waiting.get(id)?.answer.send(outgoing);
      this.#waiting.delete(id);
      return;
    }
    const token = JSON.stringify(param(isJsonObject(value) ? value : undefined, "progressToken"));
    const open = [...this.#waiting.values()].filter(({ answer }) => !answer.isDone);
    const named = token === undefined ? undefined : open.find((waiting) => waiting.token === token);
    // What a server asks in a call belongs to the answer of the call: the newest is the likeliest.
    const answer = (named ?? open.at(-1))?.answer ?? this.#listening;
    if (answer && !answer.isDone) answer.send(outgoing);
    else this.#keep(outgoing);
  }

  /** Keeps a message until the client listens; where too many wait, it is lost. */
  #keep(outgoing: Outgoing): void {
    const { length } = bytesOf(outgoing.message);
    if (this.#queue.length >= MAX_QUEUE || this.#queuedBytes + length > MAX_QUEUED_BYTES) return;
    this.#queue.push(outgoing);
    this.#queuedBytes += length;
  }
}
