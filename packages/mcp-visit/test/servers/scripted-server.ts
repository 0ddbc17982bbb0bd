import { appendFileSync, existsSync, writeFileSync } from "node:fs";

// A server that follows a script. It does not use an MCP library.

export interface Script {
  /** The server's eras; both if omitted. What it does when the other era is requested: */
  readonly eras?: readonly ("legacy" | "modern")[];
  readonly otherEra?: "error" | "exit" | "silence" | { readonly error: object } | { readonly late: number };
  readonly capabilities?: object;
  /**
   * The results, by method; if a method has several, they are returned in turn. Any other method is answered as not
   * found.
   */
  readonly results?: Readonly<Record<string, readonly object[]>>;
  /** The tools by client name, which replace `tools/list` in `results`. */
  readonly toolsFor?: Readonly<Record<string, readonly object[]>>;
  readonly errors?: Readonly<Record<string, object>>;
  readonly silent?: readonly string[];
  /** Lines that are sent a number of milliseconds after the n-th answer to a method. */
  readonly behind?: readonly {
    readonly method: string;
    readonly nth: number;
    readonly ms: number;
    readonly line: object;
  }[];
  /**
   * Blocks for a number of milliseconds before the n-th answer to a method, like a process that gets no processor time.
   */
  readonly stands?: { readonly method: string; readonly nth: number; readonly ms: number };
  /** Sends the answer to this method twice. */
  readonly twice?: string;
  /** Ends instead of answering this method. */
  readonly exitOn?: string;
  /** Refuses `server/discover`, but supports the modern era anyway. */
  readonly undiscovered?: boolean;
  /**
   * The first process that receives `server/discover` answers only when `initialize` follows, and then uses the
   * handshake. The existence of this file shows that this process has run.
   */
  readonly slowStart?: string;
  /** Refuses these methods once. */
  readonly errorsOnce?: readonly string[];
  /** Puts the client's previous answers into the result of `tools/list`. */
  readonly echo?: boolean;
  /** Requests that are sent to the client before anything else. */
  readonly early?: readonly object[];
  /** Requests that are sent to the client before the first list is answered; the answers go to `log`. */
  readonly asks?: readonly object[];
  /** A file that receives one line of JSON for each message, and one line with the visitor's traces. */
  readonly log?: string | undefined;
}

/** The environment of a server: its own process, or the test's. */
export interface Surroundings {
  readonly write: (line: string) => void;
  readonly end: (code: number) => void;
}

interface Message {
  readonly id?: number | string;
  readonly jsonrpc: string;
  readonly method?: string;
  readonly params?: { readonly clientInfo?: { name: string }; readonly _meta?: Record<string, { name: string }> };
}

/** A server that follows a script from its start to its end. */
export class ScriptedServer {
  readonly #script: Script;
  readonly #surroundings: Surroundings;
  readonly #counts = new Map<string, number>();
  readonly #answers = new Map<string, object>();
  #client = "";
  /** The id of the request whose answer waits for the next request. */
  #held: number | string | undefined;
  #isBound = false;
  #hasEnded = false;

  constructor(script: Script, surroundings: Surroundings) {
    this.#script = script;
    this.#surroundings = surroundings;
    for (const [index, early] of (script.early ?? []).entries()) this.#send({ id: `early-${index}`, ...early });
  }

  /** Adds a line of JSON to the script's log. */
  log(entry: object): void {
    if (this.#script.log !== undefined) appendFileSync(this.#script.log, `${JSON.stringify(entry)}\n`);
  }

  receive(line: string): void {
    if (this.#hasEnded) return;
    const message = JSON.parse(line) as Message;
    this.log({ message });
    const { id, method } = message;
    const modern = message.params?._meta?.["io.modelcontextprotocol/clientInfo"];
    this.#client = message.params?.clientInfo?.name ?? modern?.name ?? this.#client;
    if (id === undefined) return;
    if (method === undefined) {
      const { id: _id, jsonrpc: _version, ...said } = message;
      this.#answers.set(String(id), said);
      return;
    }
    const script = this.#script;
    const first = method === "initialize" || method === "server/discover";
    const era = method === "initialize" ? "legacy" : "modern";
    if (script.slowStart !== undefined && first) {
      if (method === "server/discover" && !existsSync(script.slowStart)) {
        writeFileSync(script.slowStart, "");
        this.#held = id;
        return;
      }
      if (this.#held !== undefined) {
        this.#answer(this.#held, "server/discover");
        this.#held = undefined;
        this.#isBound = true;
      }
    }
    if (first && script.eras && !script.eras.includes(era)) {
      this.#answerOtherEra(id, method);
      return;
    }
    if (method === "tools/list")
      for (const [index, ask] of (script.asks ?? []).entries()) this.#send({ id: `ask-${index}`, ...ask });
    this.#answer(id, method);
  }

  #send(message: object): void {
    if (!this.#hasEnded) this.#surroundings.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  #end(code: number): void {
    this.#hasEnded = true;
    this.#surroundings.end(code);
  }

  #resultOf(method: string, nth: number): object | undefined {
    const { echo, toolsFor, results, capabilities = { tools: {} } } = this.#script;
    if (method === "tools/list" && echo) return { tools: [], answers: Object.fromEntries(this.#answers) };
    if (method === "tools/list" && toolsFor) return { tools: toolsFor[this.#client] ?? [] };
    const inTurn = results?.[method];
    if (inTurn) return inTurn[Math.min(nth, inTurn.length - 1)];
    const serverInfo = { name: "scripted", version: "1.0.0" };
    if (method === "initialize") return { protocolVersion: "2025-11-25", capabilities, serverInfo };
    if (method === "server/discover") {
      const _meta = { "io.modelcontextprotocol/serverInfo": serverInfo };
      return {
        resultType: "complete",
        supportedVersions: ["2026-07-28"],
        capabilities,
        _meta,
        ttlMs: 0,
        cacheScope: "public",
      };
    }
    return method === "ping" ? {} : undefined;
  }

  #answerOtherEra(id: number | string, method: string): void {
    const { otherEra = "error" } = this.#script;
    if (otherEra === "exit") this.#end(1);
    if (otherEra === "exit" || otherEra === "silence") return;
    if (typeof otherEra === "object" && "late" in otherEra) {
      setTimeout(() => this.#send({ id, result: this.#resultOf(method, 0) }), otherEra.late);
      return;
    }
    const error = typeof otherEra === "object" ? otherEra.error : { code: -32601, message: "Method not found" };
    this.#send({ id, error });
  }

  #answer(id: number | string, method: string): void {
    const script = this.#script;
    const nth = this.#counts.get(method) ?? 0;
    this.#counts.set(method, nth + 1);
    if (script.exitOn === method) this.#end(7);
    const { stands } = script;
    if (stands?.method === method && stands.nth === nth)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stands.ms);
    if (script.silent?.includes(method)) return;
    const refusedOnce = nth === 0 && script.errorsOnce?.includes(method);
    const undiscovered = method === "server/discover" && (script.undiscovered === true || this.#isBound);
    const result = refusedOnce || undiscovered ? undefined : this.#resultOf(method, nth);
    const error = script.errors?.[method] ?? { code: -32601, message: "Method not found" };
    const reply = result === undefined ? { id, error } : { id, result };
    this.#send(reply);
    if (script.twice === method) this.#send(reply);
    for (const { line, ms, ...at } of script.behind ?? []) {
      if (at.method === method && at.nth === nth) setTimeout(() => this.#send(line), ms).unref();
    }
  }
}
