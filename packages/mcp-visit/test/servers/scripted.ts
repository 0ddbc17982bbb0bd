import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

// A server over stdio that does what its argument says, a JSON object of `Script`. It knows no MCP library.

export interface Script {
  /** Its eras; both if omitted. Its behaviour when another one is requested: */
  readonly eras?: readonly ("legacy" | "modern")[];
  readonly otherEra?: "error" | "exit" | "silence" | { readonly error: object } | { readonly late: number };
  readonly capabilities?: object;
  /** Results by method, if there is more than one in turn. A method that is not listed here is not found. */
  readonly results?: Readonly<Record<string, readonly object[]>>;
  /** The tools by the name of the client, instead of `tools/list` of `results`. */
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
  /** Blocks for a number of milliseconds before the n-th answer to a method, like a process that gets no processor. */
  readonly stands?: { readonly method: string; readonly nth: number; readonly ms: number };
  /** Sends the answer to this method twice. */
  readonly twice?: string;
  /** Ends instead of answering this method. */
  readonly exitOn?: string;
  /** Refuses `server/discover`, but supports the modern era anyway. */
  readonly undiscovered?: boolean;
  /**
   * The first process that receives `server/discover` answers it only when `initialize` follows, and then uses the
   * handshake. This file marks that it has run.
   */
  readonly slowStart?: string;
  /** Refuses these methods once. */
  readonly errorsOnce?: readonly string[];
  /** Puts the previous answers of the client into the result of `tools/list`. */
  readonly echo?: boolean;
  /** Requests that are sent to the client before anything else. */
  readonly early?: readonly object[];
  /** Requests that are sent to the client before the first list is answered; the answers go to `log`. */
  readonly asks?: readonly object[];
  /** A file that receives one line of JSON for each message, and one with the traces of the visitor. */
  readonly log?: string | undefined;
}

const script = JSON.parse(process.argv[2] ?? "{}") as Script;
const counts = new Map<string, number>();
const answers = new Map<string, object>();
let client = "";
/** The request that is waiting for the next one. */
let held: number | string | undefined;
let isBound = false;

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

function log(entry: object): void {
  if (script.log !== undefined) appendFileSync(script.log, `${JSON.stringify(entry)}\n`);
}

interface Message {
  readonly id?: number | string;
  readonly jsonrpc: string;
  readonly method?: string;
  readonly params?: { readonly clientInfo?: { name: string }; readonly _meta?: Record<string, { name: string }> };
}

function resultOf(method: string, nth: number): object | undefined {
  if (method === "tools/list" && script.echo) return { tools: [], answers: Object.fromEntries(answers) };
  if (method === "tools/list" && script.toolsFor) return { tools: script.toolsFor[client] ?? [] };
  const results = script.results?.[method];
  if (results) return results[Math.min(nth, results.length - 1)];
  const capabilities = script.capabilities ?? { tools: {} };
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

function answerOtherEra(id: number | string, method: string): void {
  const { otherEra = "error" } = script;
  if (otherEra === "exit") process.exit(1);
  if (otherEra === "silence") return;
  if (typeof otherEra === "object" && "late" in otherEra) {
    setTimeout(() => send({ id, result: resultOf(method, 0) }), otherEra.late);
    return;
  }
  send({ id, error: typeof otherEra === "object" ? otherEra.error : { code: -32601, message: "Method not found" } });
}

function answer(id: number | string, method: string): void {
  const nth = counts.get(method) ?? 0;
  counts.set(method, nth + 1);
  if (script.exitOn === method) process.exit(7);
  const { stands } = script;
  if (stands?.method === method && stands.nth === nth)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stands.ms);
  if (script.silent?.includes(method)) return;
  const refusedOnce = nth === 0 && script.errorsOnce?.includes(method);
  const undiscovered = method === "server/discover" && (script.undiscovered === true || isBound);
  const result = refusedOnce || undiscovered ? undefined : resultOf(method, nth);
  const error = script.errors?.[method] ?? { code: -32601, message: "Method not found" };
  const reply = result === undefined ? { id, error } : { id, result };
  send(reply);
  if (script.twice === method) send(reply);
  for (const { line, ms, ...at } of script.behind ?? []) {
    if (at.method === method && at.nth === nth) setTimeout(() => send(line), ms);
  }
}

if (script.log !== undefined) {
  const read = (file: string): string => readFileSync(file, "latin1");
  const stat = (pid: number): string[] =>
    read(`/proc/${pid}/stat`)
      .replace(/^.*\) /s, "")
      .split(" ");
  const ancestors: string[] = [];
  for (let pid = process.ppid; pid > 1; pid = Number(stat(pid)[1])) {
    ancestors.push(`${read(`/proc/${pid}/comm`)}${read(`/proc/${pid}/cmdline`)}${read(`/proc/${pid}/environ`)}`);
  }
  log({ visitor: { argv: process.argv, env: process.env, title: process.title, ancestors } });
}

for (const [index, ask] of (script.early ?? []).entries()) send({ id: `early-${index}`, ...ask });

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line) as Message;
  log({ message });
  const { id, method } = message;
  const modern = message.params?._meta?.["io.modelcontextprotocol/clientInfo"];
  client = message.params?.clientInfo?.name ?? modern?.name ?? client;
  if (id === undefined) return;
  if (method === undefined) {
    const { id: _id, jsonrpc: _version, ...said } = message;
    answers.set(String(id), said);
    return;
  }
  const first = method === "initialize" || method === "server/discover";
  const era = method === "initialize" ? "legacy" : "modern";
  if (script.slowStart !== undefined && first) {
    if (method === "server/discover" && !existsSync(script.slowStart)) {
      writeFileSync(script.slowStart, "");
      held = id;
      return;
    }
    if (held !== undefined) {
      answer(held, "server/discover");
      held = undefined;
      isBound = true;
    }
  }
  if (first && script.eras && !script.eras.includes(era)) return answerOtherEra(id, method);
  if (method === "tools/list")
    for (const [index, ask] of (script.asks ?? []).entries()) send({ id: `ask-${index}`, ...ask });
  answer(id, method);
});
