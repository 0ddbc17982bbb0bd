import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";

/** One way to connect a client to the server. */
export interface Contender extends AsyncDisposable {
  readonly name: string;
  /** Makes the given number of calls with the given concurrency; returns the duration of each in microseconds. */
  call(count: number, atOnce: number): Promise<Float64Array>;
}

const TEXT = "x".repeat(1000);

const VERSION = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Starts a process between two pipes, with which clients talk in the era with a handshake. */
export async function overPipes(
  name: string,
  cwd: string,
  command: readonly string[],
  tool = "echo",
): Promise<Contender & { readonly pid: number | undefined }> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { cwd, stdio: ["pipe", "pipe", "ignore"] });
  const answers = new Answers(child);
  const send = (message: object): boolean => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "bench", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  let id = 0;
  const ask = (message: object): Promise<void> => {
    const answered = answers.to(++id);
    send({ id, ...message });
    return answered;
  };
  await ask({ method: "initialize", params });
  send({ method: "notifications/initialized" });
  await ask({ method: "tools/list" });
  const call = { method: "tools/call", params: { name: tool, arguments: { text: TEXT } } };
  return {
    name,
    pid: child.pid,
    call: (count, atOnce) => measure(count, atOnce, () => ask(call)),
    [Symbol.asyncDispose]: () => end(child),
  };
}

/** The answers that arrive over a pipe, by id. */
class Answers {
  readonly #waiting = new Map<number, () => void>();
  #rest = "";

  constructor(child: ChildProcess) {
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const lines = (this.#rest + text).split("\n");
      this.#rest = lines.pop() ?? "";
      for (const line of lines) this.#take(JSON.parse(line));
    });
  }

  to(id: number): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  #take({ id, result }: { id?: number; result?: { isError?: boolean } }): void {
    if (id === undefined) return;
    if (result === undefined || result.isError === true) throw new Error("a call was refused");
    this.#waiting.get(id)?.();
    this.#waiting.delete(id);
  }
}

/**
 * Starts a process that answers over HTTP, in the new era. `command` prints its address, which `start` finds in the
 * output.
 */
export async function overHttp(
  name: string,
  cwd: string,
  command: readonly string[],
): Promise<Contender & { readonly url: string }> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const url = await addressOf(child);
  const agent = new Agent({ keepAlive: true });
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "echo", arguments: { text: TEXT }, _meta: META },
  });
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": VERSION,
    "mcp-method": "tools/call",
    "mcp-name": "echo",
  };
  const ask = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const asked = request(url, { method: "POST", headers, agent }, (answered) => {
        answered.resume().once("end", () => {
          if (answered.statusCode === 200) resolve();
          else reject(new Error(`${name}: HTTP status ${answered.statusCode}`));
        });
      });
      asked.once("error", reject);
      asked.end(body);
    });
  return {
    name,
    url,
    call: (count, atOnce) => measure(count, atOnce, ask),
    [Symbol.asyncDispose]: async () => {
      agent.destroy();
      await end(child);
    },
  };
}

async function addressOf(child: ChildProcess): Promise<string> {
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      child.emit("said");
    });
  }
  for (;;) {
    const [found] = /http:\/\/127\S+/.exec(said) ?? [];
    if (found !== undefined) return found;
    await once(child, "said");
  }
}

async function measure(count: number, atOnce: number, ask: () => Promise<void>): Promise<Float64Array> {
  const spent = new Float64Array(count);
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < count) {
      const index = next++;
      const start = process.hrtime.bigint();
      await ask();
      spent[index] = Number(process.hrtime.bigint() - start) / 1e3;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return spent;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill();
  await ended;
}
