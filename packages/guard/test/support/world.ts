import type { JsonObject, JsonValue } from "@agentprint/canonical-json";
import type { UnreadList, VisitAnswers } from "@agentprint/mcp";
import { createLock, type LockFile } from "@agentprint/mcp-lock";
import { type Policy, parsePolicy } from "@agentprint/policy";
import { type Clock, createGuard, type Guard, type GuardEvent, type GuardOptions, type Step } from "../../src/index.ts";

/** A catalog that contains every rule. */
const RULES = { find: (id: string) => ({ id, isConfigurable: true }) };

export function policyOf(document: Parameters<typeof parsePolicy>[0]): Policy {
  return parsePolicy(document, RULES);
}

export const readFile: JsonObject = {
  name: "read_file",
  description: "Reads a file",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  annotations: { readOnlyHint: true },
};

export const countLines: JsonObject = {
  name: "count_lines",
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
  outputSchema: { type: "object", properties: { lines: { type: "integer" } }, required: ["lines"] },
};

export interface World {
  readonly tools?: readonly JsonObject[];
  readonly prompts?: readonly JsonObject[];
  readonly resources?: readonly JsonObject[];
  /** The lists that fail. */
  readonly unread?: readonly UnreadList[];
  /** The user interfaces of tools that were read. */
  readonly interfaces?: readonly string[];
  readonly instructions?: string;
  readonly capabilities?: JsonObject;
  readonly serverInfo?: JsonObject;
}

const SERVER_INFO = "io.modelcontextprotocol/serverInfo";
const CAPABILITIES: JsonObject = { tools: { listChanged: true }, prompts: {}, resources: {} };

export function initializeResult({ instructions, capabilities = CAPABILITIES, serverInfo = INFO }: World): JsonObject {
  return {
    protocolVersion: "2025-11-25",
    capabilities,
    serverInfo,
    ...(instructions !== undefined && { instructions }),
  };
}

const INFO: JsonObject = { name: "files", version: "1.0.0" };

export function discoverResult({ instructions, capabilities = CAPABILITIES, serverInfo = INFO }: World): JsonObject {
  return {
    resultType: "complete",
    supportedVersions: ["2026-07-28"],
    capabilities,
    ...(instructions !== undefined && { instructions }),
    ttlMs: 0,
    cacheScope: "private",
    _meta: { [SERVER_INFO]: serverInfo },
  };
}

/** Returns the answers to a visit of this server, in both eras. */
export function visitOf(world: World): VisitAnswers {
  const { tools = [], prompts = [], resources = [], unread = [], interfaces = [] } = world;
  const contents = interfaces.map((name) => ({ kind: "ui" as const, name, results: [{ contents: [] }] }));
  const page = (list: string, items: readonly JsonObject[], extra: JsonObject): JsonObject => ({
    [list]: [...items],
    ...extra,
  });
  const lists = (extra: JsonObject) => ({
    tools: [[page("tools", tools, extra)]],
    ...(!unread.includes("prompts") && { prompts: [[page("prompts", prompts, extra)]] }),
    ...(!unread.includes("resources") && { resources: [[page("resources", resources, extra)]] }),
  });
  const failed = unread.length > 0 && { unread: Object.fromEntries(unread.map((list) => [list, "no database"])) };
  return {
    launch: { type: "stdio", command: "node", args: ["server.js"], env: [] },
    client: "claude-code",
    clientCapabilities: {},
    sessions: [
      {
        era: "legacy",
        view: "client",
        protocolVersion: "2025-11-25",
        greetings: [initializeResult(world)],
        lists: lists({}),
        ...failed,
        contents,
      },
      {
        era: "modern",
        view: "client",
        protocolVersion: "2026-07-28",
        greetings: [discoverResult(world)],
        lists: lists({ resultType: "complete", ttlMs: 60_000, cacheScope: "public" }),
        ...failed,
        contents,
      },
    ],
  };
}

export function lockOf(world: World): LockFile {
  return createLock({ files: visitOf(world) });
}

/** A clock that stands still until `advance` moves it. */
class TestClock implements Clock {
  time = 1_000_000;
  readonly #timers = new Map<object, { at: number; call: () => void }>();

  now(): number {
    return this.time;
  }

  after(milliseconds: number, call: () => void): () => void {
    const timer = {};
    this.#timers.set(timer, { at: this.time + milliseconds, call });
    return () => this.#timers.delete(timer);
  }

  /** The timers that have neither fired nor been stopped. */
  get waiting(): number {
    return this.#timers.size;
  }

  advance(milliseconds: number): void {
    this.time += milliseconds;
    for (const [timer, { at, call }] of [...this.#timers]) {
      if (at > this.time) continue;
      this.#timers.delete(timer);
      call();
    }
  }
}

/** A guard with its events and its output. */
export interface Guarded {
  readonly guard: Guard;
  readonly clock: TestClock;
  readonly events: GuardEvent[];
  /** The steps that no incoming message caused. */
  readonly later: Step[];
}

export function guardOf(
  world: World,
  policy: Parameters<typeof parsePolicy>[0] = {},
  options: Partial<GuardOptions> = {},
): Guarded {
  const clock = new TestClock();
  const events: GuardEvent[] = [];
  const later: Step[] = [];
  let seed = 0;
  const guard = createGuard({
    lock: lockOf(world),
    server: "files",
    policy: policyOf(policy),
    clock,
    random: (bytes) => Uint8Array.from({ length: bytes }, () => (seed = (seed * 31 + 7) % 251)),
    onEvent: (event) => events.push(event),
    onOutput: (step) => later.push(step),
    ...options,
  });
  return { guard, clock, events, later };
}

/** Returns, as values, the messages that a step writes to one side. */
export function sent(step: Step, side: "toServer" | "toClient"): JsonObject[] {
  return step[side].map(({ message }) => (typeof message === "string" ? JSON.parse(message) : message) as JsonObject);
}

export const MODERN: JsonObject = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

export function request(id: number | string, method: string, params?: JsonObject): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, ...(params && { params }) });
}

export function result(id: JsonValue, value: JsonObject): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result: value });
}

export function call(id: number | string, name: string, args: JsonObject = {}, more: JsonObject = {}): string {
  return request(id, "tools/call", { name, arguments: args, ...more });
}

/** Makes the client list the tools, and the server answer with these tools. */
export function listTools(
  guard: Pick<Guard, "fromClient" | "fromServer">,
  tools: readonly JsonObject[],
  id: number | string = "list",
): Step {
  guard.fromClient(request(id, "tools/list"));
  return guard.fromServer(result(id, { tools: [...tools] }));
}

/** The server that most tests use. */
export const FILES: World = { tools: [readFile, countLines] };

/** Returns a guard of {@link FILES} that has verified the tools. */
export function verified(policy: Parameters<typeof parsePolicy>[0] = {}, options: Partial<GuardOptions> = {}): Guarded {
  const world = guardOf(FILES, policy, options);
  listTools(world.guard, [readFile, countLines]);
  return world;
}

/** Returns a policy with these rules for calls to {@link FILES}. */
export function callRules(rules: JsonObject): Parameters<typeof parsePolicy>[0] {
  return { servers: { files: { calls: rules as never } } };
}

/** Returns the tools that a step shows to the client. */
export function shown(step: Step): JsonObject[] {
  const [message] = sent(step, "toClient");
  const { tools } = (message?.["result"] ?? {}) as { tools?: JsonObject[] };
  return tools ?? [];
}
