import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { isJsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { Connection, Guard, Outgoing, Step } from "@agentprint/guard";
import { isRequest, isResponse, META, MODERN_VERSIONS, RPC_ERROR, type WithId } from "@agentprint/mcp";
import type { EndTimes } from "@agentprint/mcp-visit";
import { recorded } from "../in-order.ts";
import { AFTER_INPUT, AFTER_SIGNAL } from "../limits.ts";
import { MessageSink, NOT_READ, type OnLine } from "../message-pump.ts";
import type { PinnedServer } from "../pinned-server.ts";
import type { ProxyOutput } from "../proxy-output.ts";
import type { Recording } from "../recording.ts";
import { bytesOf, errorText, keyOfRequest, param, requestsIn, singly } from "../rpc.ts";
import { ClientResponse, endWhereDone } from "./client-response.ts";
import { type ClientPost, type Endpoint, refuse } from "./endpoint.ts";
import { ModernProcess } from "./modern-process.ts";
import { passOn } from "./pass-on.ts";
import { BusyError, ProcessPlaces } from "./process-places.ts";
import { STARTS } from "./starts.ts";

/** Messages that wait for a client to listen, and their bytes. */
const MAX_QUEUE = 1000;
const MAX_QUEUED_BYTES = 16 * 1024 * 1024;

/** Streamable HTTP in front of a server that is started as a command. */
export class StdioEndpoint implements Endpoint {
  readonly guard: Guard;
  readonly #output: ProxyOutput;
  readonly #recording: Recording;
  readonly #startPinned: () => Promise<PinnedServer>;
  readonly #modern: ModernProcess;
  /** The sessions by name, the least recently used first. */
  readonly #sessions = new Map<string, Session>();
  readonly #places = new ProcessPlaces();
  /** The processes that have not ended. */
  readonly #running = new Set<PinnedServer>();
  #hasEnded = false;

  /** @param startPinned Starts the server as pinned in the current lock. Its rejection is reported */
  constructor(output: ProxyOutput, startPinned: () => Promise<PinnedServer>, guard: Guard, recording: Recording) {
    this.#recording = recording;
    this.guard = guard;
    this.#output = output;
    this.#startPinned = startPinned;
    this.#modern = new ModernProcess(output, () => this.#start(), guard, recording);
  }

  async postModern(post: ClientPost): Promise<void> {
    const { body, value, response, requests } = post;
    const requested = param(value, "_meta", META.protocolVersion);
    // A server with one client checks the version only in the first request; here there are many clients.
    if (isRequest(value) && (typeof requested !== "string" || !MODERN_VERSIONS.includes(requested))) {
      const data = { supported: [...MODERN_VERSIONS], requested: requested ?? null };
      refuse(response, 400, errorText(value["id"], RPC_ERROR.unsupportedVersion, "Unsupported protocol version", data));
      return;
    }
    const answer = new ClientResponse(response, requests, true);
    const { peer } = this.#modern;
    const connection = this.guard.connect({ peer, onOutput: (step) => void this.#modern.deliver(caller, step) });
    const caller = { connection, response: answer, peer };
    response.once("close", () => {
      // After the last response, no request is waiting.
      void this.#modern.forget(caller);
      connection.close();
    });
    const step = connection.fromClient(body);
    await this.#modern.deliver(caller, step);
    endWhereDone(answer, step, post);
  }

  async postLegacy(post: ClientPost): Promise<void> {
    const { body, value, headers, response } = post;
    const id = headers["mcp-session-id"];
    const isFirst = id === undefined && isJsonObject(value) && value["method"] === "initialize";
    const session = isFirst ? await this.#openFor(post) : this.#sessions.get(String(id));
    if (isFirst && session === undefined) return;
    if (session === undefined) {
      const text = id === undefined ? "Mcp-Session-Id is missing" : "The session has ended";
      refuse(response, id === undefined ? 400 : 404, errorText(undefined, -32001, text));
      return;
    }
    this.#sessions.delete(session.id);
    this.#sessions.set(session.id, session);
    const asked = session.unasked(value);
    const answer = new ClientResponse(response, asked.length, false);
    if (isFirst) answer.setHeader("mcp-session-id", session.id);
    const step = await session.post(body, asked, answer);
    endWhereDone(answer, step, { value, requests: asked.length });
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

  async close(times: EndTimes = AFTER_INPUT): Promise<void> {
    this.#hasEnded = true;
    // Ends the processes immediately, even if their sessions ended just before, because recording may take longer.
    const ended = [...this.#running].map((server) => server.close(times));
    const sessions = [...this.#sessions.values()].map((session) => session.close());
    await Promise.all([this.#modern.close(times), ...sessions, ...ended]);
  }

  /** Returns a new session; answers the client with an error if there is no room for one. */
  async #openFor({ value, response }: ClientPost): Promise<Session | undefined> {
    try {
      const server = await this.#start();
      const events = { onEnd: () => this.#sessions.delete(session.id), onIdle: () => this.#places.wake() };
      const session = new Session(server, this.guard, { output: this.#output, recording: this.#recording }, events);
      this.#sessions.set(session.id, session);
      return session;
    } catch (error) {
      const isBusy = error instanceof BusyError;
      if (!isBusy) this.#output.fail(error);
      else response.setHeader("retry-after", "1");
      const text = isBusy ? "All processes of the server are in use" : "The server could not be started";
      const id = isJsonObject(value) ? value["id"] : undefined;
      refuse(response, isBusy ? 503 : 500, errorText(id, RPC_ERROR.internal, text));
      return undefined;
    }
  }

  /** Starts a process in a reserved slot, which is freed when the process ends. */
  async #start(): Promise<PinnedServer> {
    await this.#places.take(() => this.#endIdle());
    let server: PinnedServer | undefined;
    try {
      server = await STARTS.run(this, async () => {
        if (this.#hasEnded) throw new Error("the endpoint has ended");
        return this.#startPinned();
      });
    } finally {
      if (server === undefined) this.#places.free();
    }
    const started = server;
    this.#running.add(started);
    const close: PinnedServer["close"] = async (times) => {
      const survivors = await started.close(times);
      if (this.#running.delete(started)) this.#places.free();
      return survivors;
    };
    if (this.#hasEnded) {
      await close(AFTER_SIGNAL);
      throw new Error("the endpoint has ended");
    }
    return { ...started, close };
  }

  /** Ends the least recently used session without waiting requests, if there is one. */
  #endIdle(): Promise<void> | undefined {
    for (const session of this.#sessions.values()) if (session.isIdle) return session.close();
    return undefined;
  }
}

/** The answer that carries the messages about a request, and the JSON text of its progress token. */
interface Waiting {
  readonly id: string | number;
  readonly answer: ClientResponse;
  readonly token: string | undefined;
}

/** The callbacks of a session. */
interface SessionEvents {
  readonly onEnd: () => void;
  /** Called when no request is waiting any longer. */
  readonly onIdle: () => void;
}

/** The options that the sessions of a server share. */
interface SessionOptions {
  readonly output: ProxyOutput;
  readonly recording: Recording;
}

/** One client of an era with the handshake, and its process. */
class Session {
  readonly id: string = randomUUID();
  readonly #server: PinnedServer;
  readonly #sink: MessageSink;
  readonly #connection: Connection;
  readonly #recording: Recording;
  readonly #events: SessionEvents;
  /** The requests that wait for a response, by the JSON text of the id. */
  readonly #waiting = new Map<string, Waiting>();
  #listening: ClientResponse | undefined;
  #queue: Outgoing[] = [];
  #queuedBytes = 0;
  #hasEnded = false;
  #isUsed = false;

  constructor(server: PinnedServer, guard: Guard, { output, recording }: SessionOptions, events: SessionEvents) {
    this.#server = server;
    this.#recording = recording;
    const onUnread = (): void => {
      output.notice(NOT_READ);
      void this.close();
    };
    this.#sink = new MessageSink(server.stdin, { onUnread });
    this.#events = events;
    this.#connection = guard.connect({ session: () => this.id, onOutput: (step) => void this.#deliver(step) });
    const take: OnLine = ({ text }) => void this.#deliver(this.#connection.fromServer(text));
    void passOn(output, server, take).then(() => this.close());
  }

  /** Returns whether the session was used and has no waiting request. */
  get isIdle(): boolean {
    return this.#isUsed && [...this.#waiting.values()].every(({ answer }) => answer.isDone);
  }

  /** Returns the requests of a message whose ids are not waiting yet, because a repeated id gets no second response. */
  unasked(value: JsonValue | undefined): readonly WithId[] {
    this.#isUsed = true;
    // A request whose client is gone, such as a cancelled one, may never get a response.
    for (const [id, waiting] of this.#waiting) if (waiting.answer.isDone) this.#waiting.delete(id);
    return requestsIn(value).filter((request) => !this.#waiting.has(keyOfRequest(request)));
  }

  async post(body: Uint8Array, asked: readonly WithId[], answer: ClientResponse): Promise<Step> {
    for (const request of asked) {
      const token = JSON.stringify(param(request, "_meta", "progressToken"));
      this.#waiting.set(keyOfRequest(request), { id: request.id, answer, token });
    }
    const step = this.#connection.fromClient(body);
    await this.#deliver(step);
    return step;
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
    this.#events.onEnd();
    await this.#deliver(this.#connection.close());
    for (const { id, answer } of this.#waiting.values()) {
      const value = { jsonrpc: "2.0", id, error: { code: RPC_ERROR.internal, message: "The server ended" } };
      answer.send({ message: JSON.stringify(value), value });
    }
    this.#listening?.end();
    await this.#server.close(AFTER_INPUT);
  }

  async #deliver(step: Step): Promise<void> {
    const { toServer, toClient } = await recorded(step, this.#connection, this.#recording);
    this.#sink.send(toServer);
    for (const outgoing of toClient.flatMap(singly)) this.#route(outgoing);
  }

  #route(outgoing: Outgoing): void {
    const { value } = outgoing;
    if (isJsonObject(value) && isResponse(value)) {
      const id = keyOfRequest(value);
      this.#waiting.get(id)?.answer.send(outgoing);
      this.#waiting.delete(id);
      if (this.isIdle) this.#events.onIdle();
      return;
    }
    const token = JSON.stringify(param(isJsonObject(value) ? value : undefined, "progressToken"));
    const open = [...this.#waiting.values()].filter(({ answer }) => !answer.isDone);
    const named = token === undefined ? undefined : open.find((waiting) => waiting.token === token);
    // A request from the server during a call belongs to that call's response; the newest call is the most likely.
    const answer = (named ?? open.at(-1))?.answer ?? this.#listening;
    if (answer && !answer.isDone) answer.send(outgoing);
    else this.#keep(outgoing);
  }

  /** Keeps a message until the client listens; drops the message if too many wait. */
  #keep(outgoing: Outgoing): void {
    const { length } = bytesOf(outgoing.message);
    if (this.#queue.length >= MAX_QUEUE || this.#queuedBytes + length > MAX_QUEUED_BYTES) return;
    this.#queue.push(outgoing);
    this.#queuedBytes += length;
  }
}
