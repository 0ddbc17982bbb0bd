import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect } from "vitest";
import { run } from "../../src/run-program.ts";
import { memoryContext, STATE } from "./run-cli.ts";
import { AGENTPRINT } from "./spawn-cli.ts";
import type { Workspace } from "./workspace.ts";

/** A small server that has, in each of its modes, one of the oddities that public reports describe. */
export const QUIRKS: string = fileURLToPath(new URL("./quirks.cjs", import.meta.url));

/** How many pages a client requests at most from a server whose list never ends. */
const MAX_PAGES = 20;
/** How long a client waits for an answer, in milliseconds. */
const TIMEOUT = 20_000;

type StdioServer = ConstructorParameters<typeof StdioClientTransport>[0];

/** The major versions of the official client: `@modelcontextprotocol/sdk` 1.x and `@modelcontextprotocol/client` 2.x. */
export type ClientVersion = "1.x" | "2.x";

/** The official clients, each without capabilities and with the capabilities that a visit presents. */
export const CLIENTS: readonly { readonly version: ClientVersion; readonly capabilities: object }[] = (
  ["1.x", "2.x"] as const
).flatMap((version) =>
  [{}, { roots: { listChanged: true }, elicitation: {} }].map((capabilities) => ({ version, capabilities })),
);

/** Returns the command that starts a guard of a workspace's server. */
export function guardCommand(name: string): readonly [command: string, ...args: string[]] {
  const [command, ...args] = AGENTPRINT;
  return [command, ...args, "guard", name];
}

/** A guard, in this process, of a server in a workspace. */
class GuardHere {
  readonly #input = new PassThrough();
  readonly #ended: Promise<unknown>;
  /** The client's end, which reads the guard's output. */
  readonly transport: StdioServerTransport;

  constructor(space: Workspace, name: string) {
    const output = new PassThrough();
    const context = memoryContext(["guard", name], { cwd: space.folder, processes: true }, output);
    this.#ended = run({ ...context, stdin: this.#input });
    this.transport = new StdioServerTransport(output, this.#input);
    // No client waits for a guard that has ended.
    void this.#ended.then(() => this.transport.close());
  }

  async end(): Promise<void> {
    this.#input.end();
    await this.#ended;
  }
}

/** Returns a request's outcome as a client sees it: a value, or `failed`. */
async function outcome<T>(ask: Promise<T>): Promise<T | "failed"> {
  return ask.catch(() => "failed" as const);
}

/** How an official client sees a server: the pages of the list, and the outcome of each call. */
export interface Seen {
  readonly pages: "not connected" | readonly ("failed" | { readonly tools: readonly { readonly name: string }[] })[];
  readonly calls: readonly (readonly [name: string, outcome: unknown])[];
}

/** A listed tool, as an official client returns it. */
export interface ListedTool {
  readonly name: string;
  readonly inputSchema: { readonly required?: readonly string[] };
}

type Arguments = Readonly<Record<string, unknown>>;
type CallResult = Readonly<Record<"content" | "isError", unknown>>;

/** How to ask as an official client. */
interface Asking {
  readonly version?: ClientVersion;
  /** How long the client waits for an answer, in milliseconds. */
  readonly timeout?: number;
  /** The arguments with which to call a tool; the guard refuses those that do not fit the definition. */
  readonly callsOf?: (tool: ListedTool) => readonly Arguments[];
  readonly maxCalls?: number;
  /** The part of a result that is compared. */
  readonly outcomeOf?: (result: CallResult) => unknown;
  /** The guard that a 1.x client asks, instead of a command. */
  readonly guard?: GuardHere;
}

/** The methods of an official client that the tests use, in both versions. */
interface Official {
  readonly connect: () => Promise<void>;
  readonly list: (cursor: string | undefined) => Promise<{ tools: readonly ListedTool[]; nextCursor?: string }>;
  readonly call: (name: string, args: Arguments) => Promise<CallResult>;
  readonly close: () => Promise<void>;
}

function official(
  version: ClientVersion,
  server: StdioServer,
  capabilities: object,
  timeout: number,
  guard?: GuardHere,
): Official {
  const info = { name: "official", version: "1.0.0" };
  const options = { timeout };
  // If a list depends on a client's folders, the list for a client without folders is used, because a visit has none.
  const hasRoots = "roots" in capabilities;
  const client = version === "1.x" ? new Client(info, { capabilities }) : new ModernClient(info, { capabilities });
  if (hasRoots && client instanceof Client) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [] }));
  else if (hasRoots && client instanceof ModernClient) client.setRequestHandler("roots/list", () => ({ roots: [] }));
  return {
    connect: () =>
      client instanceof Client
        ? client.connect(guard?.transport ?? new StdioClientTransport(server), options)
        : client.connect(new ModernTransport(server), options),
    list: async (cursor) =>
      (await client.listTools(cursor === undefined ? {} : { cursor }, options)) as Awaited<
        ReturnType<Official["list"]>
      >,
    call: async (name, args) => {
      const request = { name, arguments: args };
      return client instanceof Client
        ? ((await client.callTool(request, undefined, options)) as CallResult)
        : ((await client.callTool(request, options)) as unknown as CallResult);
    },
    close: () => client.close(),
  };
}

/** Asks a server as the official client does, and returns the pages of its tool list and the outcome of each call. */
export async function asClient(
  space: Workspace,
  [command = "", ...args]: readonly string[],
  capabilities: object,
  {
    version = "1.x",
    timeout = TIMEOUT,
    callsOf = ({ inputSchema: { required = [] } }) => [Object.fromEntries(required.map((name) => [name, "x"]))],
    maxCalls = 3,
    outcomeOf = ({ isError }) => isError ?? "called",
    guard,
  }: Asking = {},
): Promise<Seen> {
  const env = { ...process.env, ...STATE } as Record<string, string>;
  const server: StdioServer = { command, args, env, cwd: space.folder, stderr: "ignore" };
  const client = official(version, server, capabilities, timeout, guard);
  try {
    await client.connect();
  } catch {
    await client.close();
    return { pages: "not connected", calls: [] };
  }
  try {
    const pages: Exclude<Seen["pages"], string>[number][] = [];
    const fitting: [name: string, args: Arguments][] = [];
    for (let cursor: string | undefined, page = 0; page < MAX_PAGES; page++) {
      const listed = await outcome(client.list(cursor));
      pages.push(listed);
      if (listed === "failed") break;
      fitting.push(
        ...listed.tools.flatMap((tool) => callsOf(tool).map((args): [string, Arguments] => [tool.name, args])),
      );
      if (!listed.nextCursor) break;
      cursor = listed.nextCursor;
    }
    const calls: [name: string, outcome: unknown][] = [];
    for (const [name, args] of fitting.slice(0, maxCalls)) {
      const called = await outcome(client.call(name, args));
      calls.push([name, called === "failed" ? called : outcomeOf(called)]);
    }
    return { pages, calls };
  } finally {
    await client.close();
  }
}

/** Asks as the official client does behind a server's guard, which runs in this process. */
export async function behindGuard(space: Workspace, name: string): Promise<Seen> {
  const guard = new GuardHere(space, name);
  try {
    return await asClient(space, [], {}, { guard });
  } finally {
    await guard.end();
  }
}

/** Pins a server and checks it once; `false` if either does not exit with 0, in which case nothing is promised. */
export async function isPinned(space: Workspace, command: readonly string[]): Promise<boolean> {
  const visits = { views: "all" } as const;
  const pinned = await space.run(["pin", "--name", "q", "--", ...command], {}, visits);
  return pinned.code === 0 && (await space.run(["check"], {}, visits)).code === 0;
}

/**
 * A mode whose answers differ at each start, with the options with which it can be pinned, and the hint that pin prints
 * for it if no two starts agree.
 */
export interface VaryingMode {
  readonly mode: string;
  readonly vary: readonly string[];
  readonly isCertain: boolean;
}

/** The modes whose answers differ at each start only in places that may vary. */
export const VARYING_MODES: readonly VaryingMode[] = [
  { mode: "order", vary: [], isCertain: false },
  { mode: "orderprops", vary: ["q/tool/one#/inputSchema/required"], isCertain: false },
  { mode: "orderenum", vary: ["q/tool/one#/inputSchema/properties/a/enum"], isCertain: false },
  { mode: "toolmeta", vary: ["q/tool/*#/_meta/generatedAt"], isCertain: true },
  { mode: "time", vary: ["q/tool/one#/description"], isCertain: true },
  { mode: "tmpdir", vary: ["q/tool/one#/inputSchema/properties/a/default"], isCertain: true },
  { mode: "instrtime", vary: ["q/greeting#/instructions"], isCertain: true },
];

/**
 * Pins a server that answers differently at each start as pin suggests, checks it several times, approves it from a
 * script, and connects to it through a guard as the official client: its tools are the locked ones, and can be called.
 */
export async function expectPinnedValues(
  space: Workspace,
  { mode, vary, isCertain }: VaryingMode,
  checks: number,
): Promise<void> {
  const command = [process.execPath, QUIRKS, mode];
  const options = vary.flatMap((rule) => ["--vary", rule]);
  if (isCertain) {
    const refused = await space.runInOwnViews(["pin", "--name", "q", "--", ...command]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    const printed = [...refused.stderr.matchAll(/--vary '([^']+)'/g)].map(([, rule]) => rule);
    expect(printed).toEqual(vary);
  }
  expect(await space.runInOwnViews(["pin", "--name", "q", ...options, "--", ...command])).toMatchObject({ code: 0 });
  const text = space.lockText();
  for (let time = 0; time < checks; time++) expect(await space.runInOwnViews(["check"])).toMatchObject({ code: 0 });
  expect(await space.runInOwnViews(["approve", "--all", "--yes"])).toMatchObject({ code: 0 });
  expect(space.lockText()).toBe(text);
  const locked = space.lock().servers[0]?.tools.map(({ definition }) => definition) ?? [];
  const { pages, calls } = await asClient(space, guardCommand("q"), {});
  const [{ tools }] = pages as [{ readonly tools: readonly { readonly name: string }[] }];
  expect(tools.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(locked);
  expect(calls).toEqual(tools.map(({ name }) => [name, "called"]));
}
