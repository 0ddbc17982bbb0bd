import type { JsonObject } from "@agentprint/canonical-json/json-value";
import { RPC_ERROR } from "@agentprint/mcp";
import { GuardError } from "../errors.ts";
import type { Connection, Guard } from "../guard.ts";
import { errorAnswer } from "../refusal.ts";
import type { Outgoing, Step } from "../step.ts";
import { jsonTextOf } from "./json-text.ts";

/** A page of tool definitions, as in a server's answer to `tools/list`. */
export interface ToolPage {
  readonly tools: readonly unknown[];
  readonly nextCursor?: string | undefined;
}

/** Returns the current tool definitions; a server's definitions are returned page by page. */
export type ListTools = (cursor: string | undefined) => ToolPage | PromiseLike<ToolPage>;

/** A framework's call of a tool. */
export interface ToolCall {
  readonly name: string;
  /** The model's arguments, already parsed. */
  readonly arguments: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Runs the tool. Called at most once, and only if the guard lets the call through. */
  run(): unknown;
  /** Returns the tool's output as a server's result. Default: {@link resultOf}. */
  resultOf?(value: unknown): object;
}

/** The outcome of a call. If a call is refused, either `run` was not called, or its output is withheld. */
export type CallOutcome = { readonly refused: string } | { readonly value: unknown };

/** A request that the guard received or made. */
interface Request {
  readonly id: number | string;
  readonly method: string;
  readonly params?: JsonObject;
}

/** An answer from the guard or from this class: a page of a list, the refusal of a call, or an error. */
type Answer =
  | { readonly result: Result; readonly error?: never }
  | { readonly result?: never; readonly error: { readonly message: string } };

interface Result {
  readonly tools?: JsonObject[];
  readonly nextCursor?: string;
  readonly content?: readonly { readonly text: string }[];
}

/** A run of a tool, with its value or error. */
interface Run {
  readonly call: ToolCall;
  value?: unknown;
  error?: unknown;
}

/**
 * Judges a framework's tools like a server's: the guard lists them, and sees each call and each result. All guarantees
 * that hold between a client and a server apply here, too.
 */
export class ToolDesk {
  readonly #list: ListTools;
  readonly #connection: Connection;
  readonly #answers = new Map<number | string, (outgoing: Outgoing) => void>();
  readonly #runs = new Map<number | string, Run>();
  #ids = 0;
  #listingError: unknown;

  constructor(guard: Guard, list: ListTools) {
    this.#list = list;
    this.#connection = guard.connect({ onOutput: (step) => this.#deliver(step) });
  }

  /**
   * Returns the definitions that a model may see: the locked definitions, and those that the policy allows.
   *
   * @throws {@link GuardError} `not-listed` when the tools cannot be listed or read.
   */
  async shown(): Promise<JsonObject[]> {
    const shown: JsonObject[] = [];
    let cursor: string | undefined;
    do {
      const { result, error } = await this.#ask("tools/list", { cursor }).then(
        ({ value }) => value as unknown as Answer,
      );
      if (error) {
        const message = `the tools cannot be listed: ${error.message}`;
        throw new GuardError("not-listed", message, { cause: this.#listingError });
      }
      shown.push(...(result.tools as JsonObject[]));
      cursor = result.nextCursor;
    } while (cursor !== undefined);
    return shown;
  }

  /** Calls a tool if the guard lets the call through. Rethrows the tool's errors. */
  async call(call: ToolCall): Promise<CallOutcome> {
    call.signal?.throwIfAborted();
    const run: Run = { call };
    const { name, arguments: given, signal } = call;
    const { value, origin } = await this.#ask("tools/call", { name, arguments: given }, run, signal);
    if ("error" in run) throw run.error;
    if (origin === "forwarded") return { value: run.value };
    const { result, error } = value as unknown as Answer;
    return { refused: error ? error.message : String(result.content?.[0]?.text) };
  }

  #ask(method: string, params: object, run?: Run, signal?: AbortSignal): Promise<Outgoing> {
    const id = ++this.#ids;
    const text = jsonTextOf({ jsonrpc: "2.0", id, method, params });
    if (run) this.#runs.set(id, run);
    return new Promise<Outgoing>((resolve, reject) => {
      const abort = () => {
        this.#answers.delete(id);
        this.#deliver(this.#connection.abandon(id));
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#answers.set(id, (outgoing) => {
        signal?.removeEventListener("abort", abort);
        resolve(outgoing);
      });
      this.#deliver(this.#connection.fromClient(text));
    }).finally(() => this.#runs.delete(id));
  }

  #deliver({ toServer, toClient }: Step): void {
    for (const { value } of toServer) void this.#serve(value as never);
    for (const outgoing of toClient) {
      const { id } = outgoing.value as JsonObject;
      this.#answers.get(id as number)?.(outgoing);
      this.#answers.delete(id as number);
    }
  }

  /** Answers the guard as a server would. */
  async #serve({ id, method, params }: Request): Promise<void> {
    let answer: string;
    try {
      const result = method === "tools/list" ? await this.#page(params) : await this.#run(id);
      answer = jsonTextOf({ jsonrpc: "2.0", id, result });
    } catch (error) {
      const run = this.#runs.get(id);
      if (run) run.error = error;
      else this.#listingError = error;
      answer = jsonTextOf(errorAnswer(id, RPC_ERROR.internal, "It failed"));
    }
    this.#deliver(this.#connection.fromServer(answer));
  }

  async #page(params: JsonObject | undefined): Promise<ToolPage> {
    const { tools, nextCursor } = await this.#list(params?.["cursor"] as string | undefined);
    return { tools, nextCursor };
  }

  async #run(id: number | string): Promise<object> {
    const run = this.#runs.get(id) as Run;
    run.value = await run.call.run();
    return (run.call.resultOf ?? resultOf)(run.value);
  }
}

/**
 * Returns a tool's output as a server's result: the value that the output schema describes as structured content, and
 * the complete output for screening. Tools of MCP servers already return the server's result.
 */
function resultOf(output: unknown): object {
  const isResult =
    typeof output === "object" && output !== null && "content" in output && Array.isArray(output.content);
  if (!isResult) return { content: [], structuredContent: output };
  const { structuredContent, isError } = output as { readonly structuredContent?: unknown; readonly isError?: unknown };
  return { content: [], structuredContent, isError, output };
}
