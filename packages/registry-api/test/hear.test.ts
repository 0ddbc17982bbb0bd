import { EMPTY } from "@agentprint/testing/manifest/scoped-manifests";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRegistry, type TestRegistry } from "../../../apps/registry/test/support/registry.ts";
import { createRegistryClient, type RegistryClientOptions, type RegistryEvent } from "../src/index.ts";

type Fetch = NonNullable<RegistryClientOptions["fetch"]>;
const voice = { ...EMPTY, capability_flags: { supports_voice: true } };

let registry: TestRegistry;
beforeAll(async () => {
  registry = await openRegistry();
});
afterAll(() => registry.close());

const reach: Fetch = async (url, init) => registry.app.request(url, init);
const clientOf = (fetch: Fetch = reach, options: Partial<RegistryClientOptions> = {}) =>
  createRegistryClient({ url: "http://127.0.0.1:8787", fetch, ...options });

async function next(events: AsyncGenerator<RegistryEvent, void>): Promise<RegistryEvent> {
  const { value } = await events.next();
  if (!value) throw new Error("the stream ended");
  return value;
}

/** Returns a stream of server-sent events that ends. */
const stream = (text: string): Response => new Response(text, { headers: { "content-type": "text/event-stream" } });

test("a stream reports its start and every version, across lost connections, until the signal ends it", async () => {
  await registry.create("demo", EMPTY);
  const ending = new AbortController();
  const asked: (string | null)[] = [];
  let lose = (): void => {};
  const client = clientOf(
    async (url, init) => {
      asked.push(new Headers(init.headers).get("last-event-id"));
      const { body, headers } = await reach(url, init);
      const { readable, writable } = new TransformStream();
      const lost = new AbortController();
      lose = () => lost.abort();
      void body?.pipeTo(writable, { signal: lost.signal }).catch(() => {});
      return new Response(readable, { headers });
    },
    { signal: ending.signal },
  );
  const events = client.hear(["demo", "later"]);
  expect(await next(events)).toEqual({
    event: "start",
    id: "demo=1&later=0",
    news: {
      versions: [
        { agent_id: "demo", capability_manifest_version: 1 },
        { agent_id: "later", capability_manifest_version: 0 },
      ],
    },
  });
  await registry.publish("demo", voice);
  expect(await next(events)).toMatchObject({ event: "version", id: "demo=2&later=0" });
  lose();
  await registry.publish("demo", EMPTY);
  await registry.create("later", EMPTY);
  const more = [await next(events), await next(events)];
  expect(more.map(({ event }) => event).sort()).toEqual(["breaking", "version"]);
  expect(asked).toEqual([null, "demo=2&later=0"]);
  const last = events.next();
  ending.abort();
  expect(await last).toEqual({ done: true, value: undefined });
});

test("a stream that cannot be continued begins with reset, and one that can with what was missed", async () => {
  await registry.create("missed", EMPTY);
  await registry.publish("missed", voice);
  const read = async (lastEventId: string): Promise<RegistryEvent[]> => {
    const ending = new AbortController();
    const events = clientOf(reach, { signal: ending.signal }).hear(["missed"], { lastEventId });
    const two = [await next(events), await next(events)];
    ending.abort();
    return two;
  };
  expect((await read("missed=1"))[1]).toMatchObject({ event: "version", news: { capability_manifest_version: 2 } });
  expect((await read("missed=9"))[1]).toEqual({
    event: "reset",
    id: "missed=2",
    news: { agent_id: "missed", capability_manifest_version: 2 },
  });
});

test("a caller that has heard enough ends the stream", async () => {
  let isEnded = false;
  const client = clientOf(async (url, init) => {
    init.signal?.addEventListener("abort", () => {
      isEnded = true;
    });
    return reach(url, init);
  });
  for await (const { event } of client.hear(["demo"])) if (event === "start") break;
  expect(isEnded).toBe(true);
});

test.each<[string, Response]>([
  ["no stream", new Response("{}", { headers: { "content-type": "application/json" } })],
  ["an event without JSON", stream("event: version\ndata: {\n\n")],
  ["an event of another kind", stream("event: other\ndata: {}\n\n")],
  ["an event with other data", stream('event: reset\ndata: {"agent_id":"demo"}\n\n')],
  ["an event without end", stream(`data: ${"x".repeat(33 * 2 ** 20)}`)],
])("%s is an error", async (_name, response) => {
  await expect(next(clientOf(async () => response).hear(["demo"]))).rejects.toMatchObject({ code: "invalid-answer" });
});

test("a registry that is not there, and an agent that is no id, are errors", async () => {
  const gone = clientOf(async () => Promise.reject(new TypeError("fetch failed")), { retries: 0 });
  await expect(next(gone.hear(["demo"]))).rejects.toMatchObject({ code: "unreachable" });
  await expect(next(clientOf().hear(["a&agent=b"]))).rejects.toMatchObject({ code: "invalid-option" });
});

test("the limit is for the bytes between two events, not for a stream", async () => {
  const part = new TextEncoder().encode(
    `: ${"x".repeat(2 ** 20)}\n\nevent: reset\ndata: {"agent_id":"demo","capability_manifest_version":1}\n\n`,
  );
  const count = 34;
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => (sent++ < count ? controller.enqueue(part) : controller.close()),
  });
  const events = clientOf(async () => new Response(body, { headers: { "content-type": "text/event-stream" } })).hear([
    "demo",
  ]);
  for (let heard = 0; heard < count; heard++) expect((await next(events)).event).toBe("reset");
  await events.return();
});
