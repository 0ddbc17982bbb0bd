import { Client as ClientV2, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { guardClient, guardTransport } from "../src/adapters/mcp-sdk.ts";
import { createGuard, type Guard, type GuardEvent, type GuardOptions } from "../src/index.ts";
import { changedTools, DELETE_FILE, FILE_TOOLS, type FileServer, fileLock, fileServer } from "./support/file-server.ts";
import { stdioProgram } from "./support/stdio-program.ts";
import { policyOf } from "./support/world.ts";

const INFO = { name: "my-agent", version: "1.0.0" };
const path = { path: "a.txt" };
const clientOf = (major: number): ClientV1 => (major === 1 ? new ClientV1(INFO) : new ClientV2(INFO)) as ClientV1;

function guardOf(options: Partial<GuardOptions> = {}): { guard: Guard; events: GuardEvent[] } {
  const events: GuardEvent[] = [];
  const onEvent = (event: GuardEvent) => events.push(event);
  const policy = policyOf({ preset: "compatible" });
  return { guard: createGuard({ lock: fileLock, server: "files", policy, onEvent, ...options }), events };
}

async function connected(
  major: number,
  tools: FileServer["tools"],
  options: Partial<GuardOptions> = {},
): Promise<{ client: ClientV1; files: FileServer; events: GuardEvent[]; guard: Guard }> {
  const files = fileServer();
  files.tools = tools;
  const { guard, events } = guardOf(options);
  const client = guardClient(clientOf(major), guard);
  await client.connect(files.connect());
  return { client, files, events, guard };
}

describe.each([1, 2])("a client of major %i behind a guard", (major) => {
  test("calls an approved tool, and the guard emits the event", async () => {
    const { client, files, events } = await connected(major, FILE_TOOLS);
    expect((await client.listTools()).tools).toHaveLength(2);
    const { structuredContent } = await client.callTool({ name: "count_lines", arguments: path });
    expect(structuredContent).toEqual({ lines: 3 });
    expect(files.calls).toEqual(["count_lines"]);
    expect(events.slice(-2)).toMatchObject([
      { kind: "call", tool: "count_lines", outcome: "passed" },
      { kind: "result", tool: "count_lines", outcome: "passed" },
    ]);
    await client.close();
  });

  test("is shown no new tool, and the locked definition of one whose text changed", async () => {
    const changed = changedTools("read_file", { description: "Reads a file, a file" });
    const { client, files } = await connected(major, [...changed, DELETE_FILE]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name, description }) => [name, description])).toEqual([
      ["read_file", "Reads a file"],
      ["count_lines", "Counts the lines of a file"],
    ]);
    await client.callTool({ name: "read_file", arguments: path });
    expect((await client.callTool({ name: "delete_file", arguments: path })).isError).toBe(true);
    expect(files.calls).toEqual(["read_file"]);
    await client.close();
  });

  test("is refused what drifted after it was listed, before the server hears of it", async () => {
    const { client, files, events } = await connected(major, FILE_TOOLS, { recheckMs: 0 });
    await client.listTools();
    files.tools = changedTools("read_file", { annotations: { readOnlyHint: false, destructiveHint: true } });
    const { isError, content } = await client.callTool({ name: "read_file", arguments: path });
    expect([isError, content]).toEqual([
      true,
      [{ type: "text", text: "Refused by the guard: the tool differs from the lock." }],
    ]);
    expect(files.calls).toEqual([]);
    expect(events.at(-1)).toMatchObject({ kind: "call", outcome: "refused", decision: "block" });
    await client.close();
  });

  test.each([true, false])("asks the callback, which says %s", async (says) => {
    const policy = policyOf({ servers: { files: { calls: { read_file: { ask: true } } } } });
    const asked: string[] = [];
    const ask = async ({ tool }: { tool: string }) => asked.push(tool) > 0 && says;
    const { client, files } = await connected(major, FILE_TOOLS, { policy, ask });
    const { isError = false } = await client.callTool({ name: "read_file", arguments: path });
    expect([isError, files.calls, asked]).toEqual([!says, says ? ["read_file"] : [], ["read_file"]]);
    await client.close();
  });

  test("reconnects through the same guard, also over the same transport", async () => {
    const { client, files, guard } = await connected(major, [...FILE_TOOLS, DELETE_FILE]);
    await client.close();
    await files.server.close();
    const transport = guardTransport(files.connect(), guard);
    await client.connect(transport);
    expect((await client.listTools()).tools).toHaveLength(2);
    await client.close();
  });

  test("gets an error where a request that was held cannot be sent, and none of what waits is forgotten", async () => {
    const files = fileServer();
    const inner = files.connect();
    const { guard } = guardOf();
    const client = clientOf(major);
    const errors: unknown[] = [];
    client.onerror = (error) => errors.push(error.message);
    await client.connect(guardTransport(inner, guard));
    const send = inner.send.bind(inner);
    let fails = "tools/call";
    inner.send = async (message, options) => {
      if ("method" in message && message.method === fails) throw new Error("the line is down");
      return send(message, options);
    };
    await expect(client.callTool({ name: "read_file", arguments: path })).rejects.toThrow("could not be sent");
    await expect(client.callTool({ name: "read_file", arguments: path })).rejects.toThrow("the line is down");
    fails = "tools/list";
    guard.replaceLock(fileLock, policyOf({}));
    const { content } = await client.callTool({ name: "read_file", arguments: path });
    expect(JSON.stringify(content)).toContain("could not be verified");
    expect(errors).toEqual(["the line is down", "the line is down"]);
    expect(files.calls).toEqual([]);
    await client.close();
  });

  test("is refused what waits when the connection ends", async () => {
    const { client } = await connected(major, FILE_TOOLS, {
      policy: policyOf({ servers: { files: { calls: { read_file: { ask: true } } } } }),
      ask: () => new Promise(() => {}),
    });
    const called = client.callTool({ name: "read_file", arguments: path });
    await new Promise(setImmediate);
    await client.close();
    expect(JSON.stringify((await called).content)).toContain("the connection ends");
  });
});

test("a client that looks for the era of a process asks the process that it keeps, through the guard", async () => {
  const { guard, events } = guardOf();
  const client = guardClient(new ClientV2(INFO, { versionNegotiation: { mode: "auto" } }), guard);
  await client.connect(new StdioClientTransport(stdioProgram(FILE_TOOLS)));
  expect(client.getProtocolEra()).toBe("modern");
  expect(events).toMatchObject([{ kind: "capabilities", method: "server/discover" }]);
  await client.close();
});

test("a client that is connected already cannot be guarded", async () => {
  const client = clientOf(2);
  await client.connect(fileServer().connect());
  expect(() => guardClient(client, guardOf().guard)).toThrow(
    expect.objectContaining({ name: "GuardError", code: "invalid-option" }),
  );
  await client.close();
});

test("a transport sends nothing before its start and after its end, and nothing that is no JSON", async () => {
  const inner = fileServer().connect();
  const transport = guardTransport(inner, guardOf().guard);
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" } as const;
  await expect(transport.send(ping)).rejects.toMatchObject({ code: "not-connected" });
  await transport.start();
  await expect(transport.send({ ...ping, params: { n: 1n } as never })).rejects.toMatchObject({ code: "not-json" });
  await expect(transport.send(undefined as never)).rejects.toMatchObject({ code: "not-json" });
  await transport.close();
  await expect(transport.send(ping)).rejects.toMatchObject({ code: "not-connected" });
});

test("everything else in a transport is unchanged", () => {
  const inner = Object.assign(fileServer().connect(), { hasPerRequestStream: true, version: "" });
  inner.onmessage = () => {};
  const transport = Object.assign(guardTransport(inner, guardOf().guard), { version: "2025-11-25" });
  expect([inner.version, transport.hasPerRequestStream, "start" in transport]).toEqual(["2025-11-25", true, true]);
  expect(transport.onmessage).toBeTypeOf("function");
});

test("an answer of too many levels ends its own request alone", async () => {
  const inner = fileServer().connect();
  const transport = guardTransport(inner, guardOf().guard);
  const got: unknown[] = [];
  transport.onmessage = (message) => got.push(message);
  inner.send = async () => {};
  await transport.start();
  await transport.send({ jsonrpc: "2.0", id: 1, method: "x/y" });
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  inner.onmessage?.({ jsonrpc: "2.0", id: 1, result: { deep } });
  expect(got).toMatchObject([{ id: 1, error: { code: -31_403 } }]);
});

describe("in the modern era, over HTTP", () => {
  /** Connects a server on the official SDK through HTTP, without a socket. */
  function modernTransport() {
    const calls: string[] = [];
    const bodies: { method: string; headers: Headers }[] = [];
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const handler = createMcpHandler(() => {
      const capabilities = { tools: { listChanged: true } };
      const server = new Server({ name: "files", version: "1.0.0" }, { capabilities });
      server.setRequestHandler("tools/list", () => ({ tools: [...FILE_TOOLS] as never }));
      server.setRequestHandler("tools/call", async ({ params: { name } }) => {
        calls.push(name);
        if (name === "count_lines") await released;
        return { content: [], structuredContent: { lines: 3 } };
      });
      return server;
    });
    const transport = new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
      fetch: async (url, init) => {
        const request = new Request(url, init);
        if (init?.body) bodies.push({ method: JSON.parse(String(init.body)).method, headers: request.headers });
        return handler.fetch(request);
      },
    });
    return { transport, calls, bodies, release, handler };
  }
  const modernClient = () => new ClientV2(INFO, { versionNegotiation: { mode: "auto" } });

  test("a client finds the era through the guard, which lists with the client's own metadata", async () => {
    const { transport, calls, bodies, handler } = modernTransport();
    const { guard, events } = guardOf();
    const client = guardClient(modernClient(), guard);
    await client.connect(transport);
    expect(client.getProtocolEra()).toBe("modern");
    const { content } = await client.callTool({ name: "read_file", arguments: path });
    expect([calls, content]).toEqual([["read_file"], []]);
    expect(bodies.map(({ method, headers }) => [method, headers.get("mcp-method")])).toEqual([
      ["server/discover", "server/discover"],
      ["tools/list", "tools/list"],
      ["tools/call", "tools/call"],
    ]);
    expect(events.map(({ kind }) => kind)).toEqual(["capabilities", "listing", "call", "result"]);
    await client.close();
    await handler.close();
  });

  test("a call that the client ends with its stream waits no more, held or not", async () => {
    const { transport, calls, release, handler } = modernTransport();
    const policy = policyOf({ servers: { files: { calls: { read_file: { ask: true } } } } });
    const asked: ((isYes: boolean) => void)[] = [];
    const ask = () => new Promise<boolean>((resolve) => asked.push(resolve));
    const { guard } = guardOf({ policy, ask, limits: { pending: 1 } });
    const client = guardClient(modernClient(), guard);
    await client.connect(transport);
    for (const name of ["count_lines", "read_file"]) {
      const abort = new AbortController();
      const called = client.callTool({ name, arguments: path }, { signal: abort.signal });
      await expect.poll(() => (name === "read_file" ? asked : calls).length).toBeGreaterThan(0);
      abort.abort();
      await expect(called).rejects.toThrow();
    }
    for (const say of asked) say(true);
    release();
    // Only one request may wait at a time, so this works only if both requests were forgotten.
    expect((await client.callTool({ name: "count_lines", arguments: path })).isError).not.toBe(true);
    expect(calls).toEqual(["count_lines", "count_lines"]);
    await client.close();
    await handler.close();
  });
});
