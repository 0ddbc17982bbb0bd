import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { portsOf, type SendQueues } from "./send-queues.ts";
import type { Turns } from "./turns.ts";

const END_OF_HEADERS = "\r\n\r\n";
/**
 * The maximum number of bytes that are read in one piece from a body without a declared length, because a body may
 * contain what looks like the end of headers.
 */
const BODY_PIECE = 1024;
/**
 * In bytes. A waiting request's body is read up to this length, so that the request's time limit does not expire in the
 * meantime.
 */
const MAX_EARLY_BODY = 64 * 1024;

/** A parsed request. */
export interface ParsedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly handle: () => void;
}

/**
 * The counts in a Node socket's handle. `net.Socket` uses them for its own timeout, but its type does not declare them.
 */
interface Handle {
  readonly bytesWritten: number;
  /** The number of bytes that the kernel has not taken yet. */
  readonly writeQueueSize: number;
}

/**
 * Handles the requests on one connection to a server one after the other, and reads no further than the first waiting
 * request.
 */
export class BoundConnection {
  readonly #socket: Socket;
  readonly #turns: Turns;
  /** The listeners that pass bytes to the server's parser. */
  readonly #parse: ((bytes: Buffer) => void)[];
  /** The bytes that have been read but not parsed yet. */
  #rest: Buffer = Buffer.alloc(0);
  /** The number of bytes in the newest request's body that have not been parsed yet, if its length is declared. */
  #bodyLeft = 0;
  #newest: IncomingMessage | undefined;
  #waiting: ParsedRequest[] = [];
  #isHandling = false;
  #isFeeding = false;
  #isPaused = false;
  #taken = 0;
  #silentSince: number | undefined;
  #queueOfKernel: number | undefined;

  constructor(socket: Socket, turns: Turns) {
    this.#socket = socket;
    this.#turns = turns;
    this.#parse = socket.listeners("data") as ((bytes: Buffer) => void)[];
    for (const parse of this.#parse) socket.off("data", parse);
    socket.on("data", (bytes: Buffer) => {
      this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
      this.#feed();
    });
    socket.once("close", () => {
      this.#waiting = [];
      this.#rest = Buffer.alloc(0);
    });
  }

  /** Adds a request; `handle` is called in its turn, when all bytes of the previous answers have left the process. */
  add(parsed: ParsedRequest, isUrgent: boolean): void {
    this.#newest = parsed.request;
    this.#bodyLeft = Number(parsed.request.headers["content-length"] ?? 0);
    if (isUrgent && !this.#isHandling) {
      this.#handle(parsed);
      return;
    }
    this.#waiting.push(parsed);
    if (this.#isHandling) return;
    this.#isHandling = true;
    this.#turns.ask(() => this.#handleNext());
  }

  /**
   * Returns the time since which the client has read none of its pending bytes; `undefined` if no bytes are pending.
   */
  silentSince(now: number): number | undefined {
    const handle = (this.#socket as Socket & { readonly _handle?: Handle | null })._handle;
    const taken = (handle?.bytesWritten ?? 0) - (handle?.writeQueueSize ?? 0);
    if (!handle?.writeQueueSize) this.#silentSince = this.#queueOfKernel = undefined;
    else if (this.#silentSince === undefined || taken !== this.#taken) this.#silentSince = now;
    this.#taken = taken;
    return this.#silentSince;
  }

  /**
   * Ends the connection if the client has taken nothing for `ms` milliseconds, neither from the process nor from the
   * kernel.
   */
  endIfSilent(now: number, ms: number, queues: SendQueues): void {
    const queue = queues.get(portsOf(this.#socket));
    if (queue !== undefined && this.#queueOfKernel !== undefined && queue < this.#queueOfKernel)
      this.#silentSince = now;
    this.#queueOfKernel = queue;
    if (this.#silentSince !== undefined && now - this.#silentSince >= ms) this.#socket.destroy();
  }

  #handle({ response, handle }: ParsedRequest): void {
    this.#isHandling = true;
    // Node emits it when the last byte has been handed to the kernel, or when the connection has ended.
    response.once("close", () => {
      if (this.#waiting.length > 0 || this.#rest.length > 0) this.#turns.ask(() => this.#handleNext());
      else this.#isHandling = false;
    });
    handle();
  }

  #handleNext(): void {
    this.#isHandling = false;
    const next = this.#waiting.shift();
    if (next) this.#handle(next);
    this.#feed();
  }

  /** Lets the server parse the bytes that have been read until a request waits. */
  #feed(): void {
    if (this.#isFeeding) return;
    this.#isFeeding = true;
    while (this.#rest.length > 0 && this.#mayParse() && !this.#socket.destroyed) {
      const length = this.#nextLength();
      const piece = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      this.#bodyLeft -= Math.min(this.#bodyLeft, length);
      for (const parse of this.#parse) parse.call(this.#socket, piece);
    }
    this.#isFeeding = false;
    if (this.#rest.length > 0 || !this.#mayParse()) this.#pause();
    else this.#resume();
  }

  #mayParse(): boolean {
    const isEarly = this.#bodyLeft > 0 && Number(this.#newest?.headers["content-length"]) <= MAX_EARLY_BODY;
    return this.#waiting.length === 0 || isEarly;
  }

  /**
   * Returns the bytes up to the end of one request's headers, or of its declared body, so that no piece contains more
   * than one request.
   */
  #nextLength(): number {
    if (this.#bodyLeft > 0) return Math.min(this.#bodyLeft, this.#rest.length);
    const isBody = this.#newest?.complete === false;
    const end = this.#rest.indexOf(END_OF_HEADERS, isBody ? BODY_PIECE : 0, "latin1");
    return end === -1 ? this.#rest.length : end + END_OF_HEADERS.length;
  }

  #pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#socket.resume();
  }
}
