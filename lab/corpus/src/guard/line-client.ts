import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { JsonObject, JsonValue } from "../../../../packages/canonical-json/src/index.ts";

/** An answer to a request. */
export interface Answer {
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The milliseconds that a server may take for one answer. */
const TIMEOUT = 60_000;

/** The results that the client returns for the server's requests. */
const OWN_ANSWERS: Readonly<Record<string, JsonObject>> = {
  ping: {},
  "roots/list": { roots: [] },
  "elicitation/create": { action: "decline" },
  "sampling/createMessage": { role: "assistant", model: "none", content: { type: "text", text: "done" } },
};

/** A client over a program's standard streams; it keeps the exact line of each request. */
export class LineClient implements AsyncDisposable {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #waiting = new Map<JsonValue, (answer: Answer) => void>();
  readonly #closed: Promise<unknown>;
  #stderr = "";
  #lastId = 0;

  constructor(
    [program, ...args]: readonly [string, ...string[]],
    { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  ) {
    this.#child = spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
    this.#closed = once(this.#child, "close");
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-4000);
    });
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#take(JSON.parse(line) as JsonObject));
  }

  /** Sends a request, and returns its exact line and the answer. */
  async request(method: string, params: JsonObject): Promise<{ readonly line: string; readonly answer: Answer }> {
    const id = ++this.#lastId;
    const answered = new Promise<Answer>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${method}: ${this.#stderr}`)), TIMEOUT);
      this.#waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
    });
    const line = this.#write({ jsonrpc: "2.0", id, method, params });
    return { line, answer: await answered };
  }

  notify(method: string): void {
    this.#write({ jsonrpc: "2.0", method });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin.end();
    await this.#closed;
  }

  #write(message: JsonObject): string {
    const line = JSON.stringify(message);
    this.#child.stdin.write(`${line}\n`);
    return line;
  }

  #take(message: JsonObject): void {
    const { id, method } = message;
    if (id === undefined) return;
    if (typeof method !== "string") {
      this.#waiting.get(id)?.(message as Answer);
      this.#waiting.delete(id);
      return;
    }
    const result = OWN_ANSWERS[method];
    const error = { code: -32_601, message: "Method not found" };
    this.#write({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) });
  }
}
