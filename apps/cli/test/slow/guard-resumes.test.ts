import { once } from "node:events";
import { request } from "node:http";
import { sdkV1 } from "@agentprint/testing/mcp-servers/http-servers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { EventStore } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { type JSONRPCMessage, LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, onTestFinished, test } from "vitest";
import { RECORD, recordedEvents } from "../guard/fault-world.ts";
import { callOf, INITIALIZE } from "../guard/guarded.ts";
import { listening } from "../guard/support.ts";
import { Workspace } from "../support/workspace.ts";

/** The number of messages that a call receives before its result. */
const MESSAGES = 12;

/**
 * Keeps a server's events in their order. The SDK's example store sorts events of the same millisecond at random.
 */
class Events implements EventStore {
  readonly #all: { readonly stream: string; readonly message: JSONRPCMessage }[] = [];

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    return String(this.#all.push({ stream, message }));
  }

  async replayEventsAfter(
    last: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const { stream = "" } = this.#all[Number(last) - 1] ?? {};
    for (const [index, event] of this.#all.entries()) {
      const isMessage = Object.keys(event.message).length > 0;
      if (index >= Number(last) && event.stream === stream && isMessage) await send(String(index + 1), event.message);
    }
    return stream;
  }
}

/**
 * Starts a guard in front of a server that uses the official SDK and stores its events; the server's tool sends a
 * message whenever the test allows it.
 */
async function counting() {
  let say: (() => void)[] = [];
  const said = Array.from({ length: MESSAGES + 1 }, () => new Promise<void>((resolve) => say.push(resolve)));
  const makeServer = () => {
    const server = new McpServer({ name: "counter", version: "1.0.0" }, { capabilities: { logging: {} } });
    server.registerTool("count", { description: "Counts" }, async ({ sendNotification }) => {
      for (const [data, allowed] of said.slice(0, MESSAGES).entries()) {
        await allowed;
        await sendNotification({ method: "notifications/message", params: { level: "info", data } });
      }
      await said[MESSAGES];
      return { content: [{ type: "text", text: "counted" }] };
    });
    return server;
  };
  const server = await sdkV1(makeServer as never, new Events());
  onTestFinished(() => server[Symbol.dispose]());
  const space = new Workspace();
  onTestFinished(() => space[Symbol.dispose]());
  const pinned = await space.run(["pin", "--name", "counter", "--url", server.url]);
  expect(pinned, pinned.stderr).toMatchObject({ code: 0 });
  const guard = await listening(space, ["counter", ...RECORD]);
  onTestFinished(() => guard[Symbol.asyncDispose]());
  return {
    space,
    server,
    url: guard.url,
    /** Lets the tool send the given number of messages. */
    allow: (count: number): void => {
      for (const allow of say.slice(0, count)) allow();
      say = say.slice(count);
    },
  };
}

/** Returns the outcomes of the tool's results and of the refusals. */
async function resultsIn(space: Workspace): Promise<string[]> {
  const events = await recordedEvents(space);
  return events
    .filter(({ kind, tool }) => (kind === "result" && tool) || kind === "refused")
    .map(({ outcome }) => outcome);
}

test("a client that loses its stream again and again receives each message once, in order", async () => {
  const { space, server, url, allow } = await counting();
  let lose: () => void = () => undefined;
  const transport = new StreamableHTTPClientTransport(url, {
    reconnectionOptions: {
      initialReconnectionDelay: 10,
      maxReconnectionDelay: 10,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 5,
    },
    // Lets the test abort this request's connection.
    fetch: async (to, init) => {
      const ending = new AbortController();
      const isStream = new Headers(init?.headers).has("last-event-id") || String(init?.body).includes("tools/call");
      if (isStream) lose = () => ending.abort();
      return fetch(to, { ...init, ...(isStream && { signal: ending.signal }) });
    },
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  const received: unknown[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void received.push(params.data));
  await client.connect(transport as never);
  await client.listTools();
  const called = client.callTool({ name: "count", arguments: {} });
  const arrived = (count: number) => expect.poll(() => received.length).toBe(count);
  for (let round = 1; round <= 3; round++) {
    allow(2);
    await arrived(round * 4 - 2);
    lose();
    // The server sends these messages while no client is connected.
    allow(2);
    await arrived(round * 4);
  }
  lose();
  allow(1);
  expect(await called).toMatchObject({ content: [{ text: "counted" }] });
  expect(received).toEqual(Array.from({ length: MESSAGES }, (_, index) => index));
  await client.close();
  const resumed = server.seen.filter(({ headers }) => headers["last-event-id"] !== undefined);
  expect(resumed.length).toBeGreaterThanOrEqual(4);
  expect(server.seen.filter(({ body }) => body?.method === "tools/call")).toHaveLength(1);
  await expect.poll(() => resultsIn(space)).toEqual(["passed"]);
});

test("an answer that the guard sent and the client did not read is sent again as it was judged", async () => {
  const { space, url, allow } = await counting();
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const greeted = await fetch(url, { method: "POST", headers, body: JSON.stringify(INITIALIZE) });
  const session = {
    "mcp-session-id": greeted.headers.get("mcp-session-id") ?? "",
    "mcp-protocol-version": "2025-11-25",
  };
  await greeted.text();
  const asked = request(url, { method: "POST", headers: { ...headers, ...session } });
  asked.on("error", () => undefined);
  asked.end(JSON.stringify(callOf(7, "count")));
  const [response] = await once(asked, "response");
  response.setEncoding("utf8");
  // On a slow machine, keep-alive comments come before the first event.
  let said = "";
  let eventId: string | undefined;
  while (eventId === undefined) {
    said += (await once(response, "data"))[0];
    [, eventId] = /^id: (\S+)\n/m.exec(said) ?? [];
  }
  response.pause();
  allow(MESSAGES + 1);
  // The guard has judged the answer, and has written it to a client that does not read.
  await expect.poll(() => resultsIn(space)).toEqual(["passed"]);
  response.destroy();
  const resumed = await fetch(url, {
    headers: { ...session, accept: "text/event-stream", "last-event-id": eventId },
  });
  let text = "";
  for await (const chunk of resumed.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.includes("counted")) break;
  }
  expect(text.match(/"data":\d+/g)).toHaveLength(MESSAGES);
  expect(text.match(/"id":7/g)).toHaveLength(1);
  expect(await resultsIn(space)).toEqual(["passed"]);
});
