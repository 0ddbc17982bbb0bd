import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { type Logger, pino } from "pino";
import { loadConfig } from "../../src/config.ts";
import { startStdio } from "../../src/serve-stdio.ts";
import { openServices, type Services } from "../../src/services.ts";

/** The two eras, each with the revision that its clients use. */
export const ERAS = ["2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof ERAS)[number];

// biome-ignore lint/suspicious/noExplicitAny: tests look into any JSON
export type Json = any;

/** Services in this process, with a real database in its own folder. */
export interface TestServices extends Services {
  readonly folder: string;
  /** The lines that were logged. */
  readonly logged: Json[];
  readonly remove: () => Promise<void>;
}

/** Opens services; `settings` are environment variables without their prefix. */
export async function openTestServices(settings: Readonly<Record<string, string>> = {}): Promise<TestServices> {
  const folder = mkdtempSync(join(tmpdir(), "mcp-server-"));
  const logged: Json[] = [];
  const log: Logger = pino({ level: "info" }, { write: (line) => void logged.push(JSON.parse(line)) });
  const env = {
    AGENTPRINT_TRAIL_URL: `file:${join(folder, "trail.db")}`,
    ...environmentOf({ port: "0", ...settings }),
  };
  const services = await openServices(await loadConfig(env), log);
  const remove = async (): Promise<void> => {
    await services.trail.close();
    rmSync(folder, { recursive: true });
  };
  return { ...services, folder, logged, remove };
}

/** Waits for a condition, one turn of the event loop at a time; throws if it never becomes true. */
export async function until(holds: () => boolean): Promise<void> {
  const hangs = performance.now() + 60_000;
  while (!holds()) {
    if (performance.now() > hangs) throw new Error(`never came: ${holds}`);
    await setImmediate();
  }
}

/** The environment of settings. */
export function environmentOf(settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`AGENTPRINT_MCP_${name.toUpperCase()}`, value]),
  );
}

/** A client that writes messages unchanged and reads answers as they arrive. */
export interface RawClient {
  readonly write: (...messages: object[]) => void;
  readonly writeText: (text: string) => void;
  readonly request: (method: string, params?: object) => Promise<Json>;
  /** Calls a tool and returns its result. */
  readonly call: (name: string, args: object) => Promise<Json>;
  /** The answer to the request with this id, which may not have arrived yet. */
  readonly answerTo: (id: number) => Promise<Json>;
  /** The next answer to a request with this id. */
  readonly nextTo: (id: number) => Promise<Json>;
  /** Every message that arrived. */
  readonly received: readonly Json[];
  readonly end: () => void;
  readonly server: ReturnType<typeof startStdio>;
}

/** Returns a message for an era: in the era without a handshake, each request names its client. */
export function messageOf(revision: Revision, id: number, method: string, params: object = {}): object {
  if (revision === "2025-11-25") return { jsonrpc: "2.0", id, method, params };
  return { jsonrpc: "2.0", id, method, params: { ...params, _meta: ENVELOPE } };
}

const CLIENT_INFO = { name: "raw-client", version: "1.0.0" };
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": CLIENT_INFO,
  "io.modelcontextprotocol/clientCapabilities": {},
};

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: CLIENT_INFO },
};

/** Connects a client to a server of `services` over streams like stdio's. */
export async function connectRaw(services: Services, revision: Revision): Promise<RawClient> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const server = startStdio(services, stdin, stdout);
  const received: Json[] = [];
  const waiting = new Map<number, (answer: Json) => void>();
  let rest = "";
  stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const message = JSON.parse(line);
      received.push(message);
      waiting.get(message.id)?.(message);
    }
  });
  let ids = 0;
  const writeText = (text: string): void => void stdin.write(text);
  const write = (...messages: object[]): void =>
    writeText(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  const nextTo = (id: number): Promise<Json> => new Promise((resolve) => waiting.set(id, resolve));
  const answerTo = async (id: number): Promise<Json> =>
    received.find((message) => message.id === id) ?? (await nextTo(id));
  const request: RawClient["request"] = (method, params) => {
    const id = ++ids;
    write(messageOf(revision, id, method, params));
    return answerTo(id);
  };
  const call: RawClient["call"] = async (name, args) => (await request("tools/call", { name, arguments: args })).result;
  if (revision === "2025-11-25") {
    write(INITIALIZE);
    await answerTo(0);
    write({ jsonrpc: "2.0", method: "notifications/initialized" });
  }
  return { write, writeText, request, call, answerTo, nextTo, received, end: () => void stdin.end(), server };
}
