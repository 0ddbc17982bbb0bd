import type { RequestId, RpcMessage } from "@agentprint/mcp";
import { type Channel, type ChannelEvents, type LoggedLines, MessageReader, VisitError } from "../../src/index.ts";
import { type Script, ScriptedServer } from "../servers/scripted-server.ts";

/** A channel to a scripted server in this process; its answers are read as strictly as those of a separate process. */
export class MemoryChannel implements Channel {
  /** The calls that the visit makes. */
  readonly calls: string[] = [];
  readonly #script: Script;
  readonly #reader: MessageReader;
  readonly #written: (answer: string) => string;
  #server: ScriptedServer | undefined;
  #events: ChannelEvents | undefined;
  #unread = "";

  /** @param written - Returns the text that the server writes instead of a line. */
  constructor(script: Script, maxBytes: number, written: (answer: string) => string = (answer) => `${answer}\n`) {
    this.#script = script;
    this.#reader = new MessageReader(maxBytes);
    this.#written = written;
  }

  async open(events: ChannelEvents): Promise<void> {
    this.calls.push("open");
    this.#events = events;
    this.#server = new ScriptedServer(this.#script, {
      write: (line) => this.#write(this.#written(line.trimEnd())),
      end: (code) => queueMicrotask(() => this.#fail(new VisitError("server-ended", `the server ended with ${code}`))),
    });
  }

  async send(message: RpcMessage): Promise<void> {
    const line = JSON.stringify(message);
    setImmediate(() => this.#events && this.#server?.receive(line));
  }

  async listen(): Promise<void> {}

  agreeOn(version: string): void {
    this.calls.push(version);
  }

  cancel(requestId: RequestId): void {
    void this.send({ method: "notifications/cancelled", params: { requestId }, jsonrpc: "2.0" });
  }

  async close(): Promise<readonly []> {
    this.calls.push("close");
    this.#events = undefined;
    return [];
  }

  stderrTail(): string {
    return "said in memory";
  }

  logged(): LoggedLines | undefined {
    return this.#reader.logged;
  }

  /** Delivers the lines of one turn as a single piece, before any timer that is set later. */
  #write(text: string): void {
    if (this.#unread === "") queueMicrotask(() => this.#read());
    this.#unread += text;
  }

  #read(): void {
    const text = this.#unread;
    this.#unread = "";
    try {
      this.#reader.push(Buffer.from(text), (message) => this.#events?.message(message));
    } catch (error) {
      if (!(error instanceof VisitError)) throw error;
      this.#fail(error);
    }
  }

  #fail(error: VisitError): void {
    const events = this.#events;
    this.#events = undefined;
    events?.failure(error);
  }
}
