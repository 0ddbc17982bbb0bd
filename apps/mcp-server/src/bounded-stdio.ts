import { type Readable, Transform, type TransformCallback, type Writable } from "node:stream";
import { AnswerRoom } from "@agentprint/http-bounds";
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { ANSWER_BYTES, type AnswerHold, NO_ROOM, withHold } from "./answer-hold.ts";

const LINE_FEED = 0x0a;
/** The first of the codes that JSON-RPC reserves for servers. */
const SERVER_ERROR = -32_000;

/**
 * Serves one client over stdio, and limits the memory that a client which does not read can take: while bytes of an
 * answer wait in the process, the next message is not read, and all answers in progress take at most 128 MiB. A request
 * that finds no memory left gets an error.
 */
export class BoundedStdio extends StdioServerTransport {
  readonly #room = new AnswerRoom();
  /** The memory reserved for unanswered requests, by id; a client may use an id twice. */
  readonly #answers = new Map<RequestId, AnswerHold[]>();
  readonly #stdin: Readable;
  readonly #lines: Lines;

  /** @param maxMessage The maximum length of a message in bytes */
  constructor(stdin: Readable, stdout: Writable, maxMessage: number) {
    const lines = new Lines(stdout);
    super(lines, stdout, { maxBufferSize: maxMessage });
    this.#stdin = stdin;
    this.#lines = lines;
  }

  /** Calls `then` when the client has closed its stream and everything that it wrote has been read. */
  onceEnded(then: () => void): void {
    this.#lines.once("end", then).once("close", then);
  }

  override async start(): Promise<void> {
    const { onmessage } = this;
    this.onmessage = (message) => this.#deliver(message, () => onmessage?.(message));
    await super.start();
    this.#stdin.once("close", () => {
      if (!this.#stdin.readableEnded) this.#lines.destroy();
    });
    this.#stdin.pipe(this.#lines);
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    try {
      await super.send(message);
    } finally {
      const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
      if (isAnswer && message.id !== undefined) this.#free(message.id);
    }
  }

  override async close(): Promise<void> {
    this.#stdin.unpipe(this.#lines).pause();
    await super.close();
  }

  #deliver(message: JSONRPCMessage, deliver: () => void): void {
    if (isJSONRPCNotification(message) && message.method === "notifications/cancelled") {
      // A cancelled call gets no answer.
      this.#free(message.params?.["requestId"] as RequestId);
      deliver();
    } else if (!isJSONRPCRequest(message)) deliver();
    else {
      const hold = this.#room.take(ANSWER_BYTES);
      if (hold === undefined) this.#refuse(message.id);
      else {
        const answer = { hold, isRefused: false, isOver: false };
        this.#answers.set(message.id, [...(this.#answers.get(message.id) ?? []), answer]);
        // The SDK starts to handle a message before the next turn of the event loop, in which the next message arrives,
        // so no call runs in the context of another request.
        withHold(answer, deliver);
      }
    }
  }

  #refuse(id: RequestId): void {
    const error = { code: SERVER_ERROR, message: NO_ROOM };
    super.send({ jsonrpc: "2.0", id, error }).catch((failure: unknown) => this.onerror?.(failure as Error));
  }

  #free(id: RequestId): void {
    const [answer, ...others] = this.#answers.get(id) ?? [];
    if (answer === undefined) return;
    answer.isOver = true;
    answer.hold.free();
    if (others.length === 0) this.#answers.delete(id);
    else this.#answers.set(id, others);
  }
}

/** Passes on a client's lines, one per turn of the event loop, and none while bytes wait for the client. */
class Lines extends Transform {
  readonly #stdout: Writable;

  constructor(stdout: Writable) {
    super();
    this.#stdout = stdout;
  }

  override _transform(chunk: Buffer, encoding: BufferEncoding, done: TransformCallback): void {
    const end = chunk.indexOf(LINE_FEED) + 1 || chunk.length;
    this.push(chunk.subarray(0, end));
    this.#whenTaken(() => {
      if (end === chunk.length) done();
      else this._transform(chunk.subarray(end), encoding, done);
    });
  }

  #whenTaken(then: () => void): void {
    setImmediate(() => {
      // Node calls a write's callback when all earlier writes have left the process.
      if (this.#stdout.writableLength > 0) this.#stdout.write("", () => this.#whenTaken(then));
      else then();
    });
  }
}
