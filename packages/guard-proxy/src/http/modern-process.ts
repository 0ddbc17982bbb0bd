import { randomBytes } from "node:crypto";
import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import { type Connection, type Guard, type Outgoing, type Step, seemingIds } from "@agentprint/guard";
import { isRequest, isResponse, META, RPC_ERROR } from "@agentprint/mcp";
import type { EndTimes, RunningServer } from "@agentprint/mcp-visit";
import { recorded } from "../in-order.ts";
import { AFTER_INPUT, AFTER_SIGNAL } from "../limits.ts";
import { MessageSink, NOT_READ } from "../message-pump.ts";
import type { PinnedServer } from "../pinned-server.ts";
import type { ProxyOutput } from "../proxy-output.ts";
import type { Recording } from "../recording.ts";
import { bytesOf, errorText, isCancelOfGuard, param } from "../rpc.ts";
import type { ClientResponse } from "./client-response.ts";
import { spliceJson } from "./json-splice.ts";
import { passOn } from "./pass-on.ts";
import { readJson } from "./read-json.ts";

/** A request that waits for its answer, with the id by which the process knows it. */
interface Waiting {
  readonly caller: Caller;
  readonly id: JsonValue;
  readonly token: JsonValue | undefined;
  readonly isListen: boolean;
  /** Whether the guard cancels a task; such a request continues after the client has disconnected. */
  readonly isCancel: boolean;
}

/** One POST from a client: its connection with the guard, and its answer. */
interface Caller {
  readonly connection: Connection;
  readonly response: ClientResponse;
  /** The process for which the POST was judged. */
  readonly peer: string;
}

/**
 * The one process of a server that answers the requests of the new era from all clients. Two clients may use the same
 * id: the guard assigns ids and progress tokens for the process, and maps them back for each client.
 */
export class ModernProcess {
  readonly #output: ProxyOutput;
  readonly #startProcess: () => Promise<PinnedServer>;
  readonly #guard: Guard;
  readonly #recording: Recording;
  readonly #prefix = randomBytes(8).toString("hex");
  readonly #waiting = new Map<string, Waiting>();
  #count = 0;
  /** The number of processes that have ended. */
  #ended = 0;
  #running: Promise<{ server: RunningServer; sink: MessageSink }> | undefined;

  /** @param startProcess Starts the process. If it rejects, the waiting clients get an error */
  constructor(output: ProxyOutput, startProcess: () => Promise<PinnedServer>, guard: Guard, recording: Recording) {
    this.#recording = recording;
    this.#output = output;
    this.#startProcess = startProcess;
    this.#guard = guard;
  }

  /** Returns the name of the running process, or of the next one. A verification is valid for only one process. */
  get peer(): string {
    return `process ${this.#prefix} ${this.#ended}`;
  }

  /**
   * Writes the messages of a step to the server and to the client. The client gets an error if the server cannot be
   * started.
   */
  async deliver(caller: Caller, step: Step): Promise<void> {
    const { toServer, toClient } = await recorded(step, caller.connection, this.#recording);
    for (const outgoing of toClient) caller.response.send(outgoing);
    if (toServer.length === 0) return;
    try {
      const { sink } = await this.#start();
      if (caller.peer !== this.peer) {
        this.#failAll(caller, toServer, "The server ended");
        return;
      }
      sink.send(toServer.map((outgoing) => this.#named(caller, outgoing)));
    } catch (error) {
      this.#output.fail(error);
      this.#failAll(caller, toServer, "The server could not be started");
    }
  }

  #failAll(caller: Caller, toServer: Step["toServer"], reason: string): void {
    for (const { value } of toServer)
      if (isRequest(value as JsonValue)) this.#fail(caller, (value as JsonObject)["id"] ?? null, reason);
  }

  /** Cancels a caller's requests at the server. */
  async forget(caller: Caller): Promise<void> {
    const isLeft = ({ caller: other, isCancel }: Waiting): boolean => other === caller && !isCancel;
    const ids = [...this.#waiting].filter(([, waiting]) => isLeft(waiting)).map(([id]) => id);
    if (ids.length === 0) return;
    for (const id of ids) this.#waiting.delete(id);
    const running = await this.#running?.catch(() => undefined);
    running?.sink.send(
      ids.map((requestId) => messageOf({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } })),
    );
  }

  async close(times: EndTimes): Promise<void> {
    const running = await this.#running?.catch(() => undefined);
    await running?.server.close(times);
  }

  #start(): Promise<{ server: RunningServer; sink: MessageSink }> {
    // The next request retries a failed start.
    this.#running ??= this.#launch().catch((error: unknown) => {
      this.#running = undefined;
      throw error;
    });
    return this.#running;
  }

  async #launch(): Promise<{ server: RunningServer; sink: MessageSink }> {
    const server = await this.#startProcess();
    const onUnread = (): void => {
      this.#output.notice(NOT_READ);
      void server.close(AFTER_SIGNAL);
    };
    const sink = new MessageSink(server.stdin, { onUnread });
    void passOn(this.#output, server, ({ text }) => this.#take(text, sink)).then(() => this.#end(server));
    return { server, sink };
  }

  /** Answers the waiting requests after the server has ended; the next request starts it again. */
  async #end(server: RunningServer): Promise<void> {
    this.#running = undefined;
    this.#ended++;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { caller, id } of waiting) this.#fail(caller, id, "The server ended");
    await server.close(AFTER_INPUT);
  }

  /** Answers a request with an error. Requests that the guard would send because of the error are dropped. */
  #fail({ connection, response }: Caller, id: JsonValue, reason: string): void {
    for (const outgoing of connection.fromServer(errorText(id, RPC_ERROR.internal, reason)).toClient)
      response.send(outgoing);
  }

  #named(caller: Caller, outgoing: Outgoing): Outgoing {
    const { message, value } = outgoing;
    if (!isJsonObject(value) || !isRequest(value)) return outgoing;
    const id = `${this.#prefix}-${this.#count++}`;
    const token = param(value, "_meta", "progressToken");
    this.#waiting.set(id, {
      caller,
      id: value.id,
      token,
      isListen: value.method === "subscriptions/listen",
      isCancel: isCancelOfGuard(outgoing),
    });
    const edits: [string[], string][] = [[["id"], JSON.stringify(id)]];
    if (token !== undefined) edits.push([["params", "_meta", "progressToken"], JSON.stringify(id)]);
    return { ...outgoing, message: spliceJson(bytesOf(message), edits) };
  }

  #take(line: Uint8Array, sink: MessageSink): void {
    const value = readJson(line);
    const [id, edits] = this.#callerOf(value);
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (waiting === undefined) {
      // A malformed message with the id of a request is still the only answer.
      for (const each of seemingIds(line)) this.#failUnread(each);
      // The guard still learns of list changes from such a message, and refuses forbidden requests from the server.
      sink.send(this.#guard.fromServer(line).toServer);
      return;
    }
    const { caller } = waiting;
    if (id !== undefined && isResponse(value)) this.#waiting.delete(id);
    void this.deliver(caller, caller.connection.fromServer(spliceJson(line, edits(waiting))));
  }

  #failUnread(id: string | number): void {
    const waiting = typeof id === "string" ? this.#waiting.get(id) : undefined;
    if (waiting === undefined || typeof id !== "string") return;
    this.#waiting.delete(id);
    this.#fail(waiting.caller, waiting.id, "The response of the server cannot be read");
  }

  /**
   * Returns the id of the request that a message belongs to, and the function that turns the message into the client's.
   */
  #callerOf(value: JsonValue | undefined): readonly [string | undefined, (waiting: Waiting) => [string[], string][]] {
    if (isResponse(value)) {
      return [
        // The process received only string ids.
        typeof value.id === "string" ? value.id : undefined,
        ({ id, isListen }) => [
          [["id"], JSON.stringify(id)],
          ...(isListen ? [[["result", "_meta", META.subscriptionId], JSON.stringify(id)] as [string[], string]] : []),
        ],
      ];
    }
    const places: readonly (readonly [string[], keyof Pick<Waiting, "id" | "token">])[] = [
      [["_meta", META.subscriptionId], "id"],
      [["progressToken"], "token"],
      [["requestId"], "id"],
    ];
    for (const [path, member] of places) {
      const found = param(value, ...path);
      if (typeof found !== "string" || !this.#waiting.has(found)) continue;
      return [found, (waiting) => [[["params", ...path], JSON.stringify(waiting[member] ?? null)]]];
    }
    return [undefined, () => []];
  }
}

function messageOf(value: JsonObject): Outgoing {
  return { message: JSON.stringify(value), value, origin: "guard" };
}
