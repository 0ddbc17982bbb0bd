import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { EMPTY, withScopes } from "@agentprint/testing/manifest/scoped-manifests";
import { createAdaptorServer } from "@hono/node-server";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { beginStream } from "../src/events/begin-stream.ts";
import { EventHub } from "../src/events/event-hub.ts";
import { openVersionStream } from "../src/events/version-stream.ts";
import { createApp } from "../src/http/app.ts";
import { openRegistry, type TestRegistry } from "./support/registry.ts";

/** How often heartbeats are sent in this test. */
const BEAT_MS = 100;
let registry: TestRegistry;
let hub: EventHub;
beforeEach(async () => {
  registry = await openRegistry();
  hub = new EventHub(registry.services.store, registry.services.notifier, pino({ level: "silent" }), BEAT_MS);
});
afterEach(async () => {
  await hub.close();
  await registry.close();
});

/** A manifest whose tools' removal is an event of about 100 KB. */
const large = withScopes(Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`scope:${index}`, "low"])));
const metric = async (name: string): Promise<number> =>
  Number(new RegExp(`^agentprint_registry_${name} (\\S+)$`, "m").exec((await registry.get("/metrics")).text)?.[1]);

test("streams of one agent share the bytes of an event", async () => {
  await registry.create("shared", EMPTY);
  const { signal } = new AbortController();
  const owner = { ending: signal, onEnd: () => {}, onRead: () => {}, hold: () => true };
  const readers = await Promise.all(
    Array.from({ length: 5 }, async () =>
      openVersionStream(hub, await beginStream(registry.services.store.db, ["shared"], undefined), owner).getReader(),
    ),
  );
  for (const reader of readers) await reader.read();
  await registry.publish("shared", large);
  const chunks = await Promise.all(readers.map(async (reader) => (await nextEvent(reader)).value));
  expect(new TextDecoder().decode(chunks[0])).toMatch(/^event: version\ndata: \{.*\}\nid: shared=2\n\n$/);
  for (const chunk of chunks) expect(chunk).toBe(chunks[0]);
  for (const reader of readers) await reader.cancel();
});

async function nextEvent(reader: ReadableStreamDefaultReader<Uint8Array>) {
  for (;;) {
    const part = await reader.read();
    if (part.done || !new TextDecoder().decode(part.value).startsWith(":")) return part;
  }
}

test("a client that does not read is disconnected, and others receive everything", async () => {
  await registry.create("silent", EMPTY);
  const server = createAdaptorServer({ fetch: createApp({ ...registry.services, hub }).fetch }) as Server;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: 5 }, () => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.pause();
      socket.write("GET /events?agent=silent HTTP/1.1\r\nhost: x\r\n\r\n");
    });
    socket.on("error", () => {});
    return socket;
  });
  const response = await fetch(`http://127.0.0.1:${port}/events?agent=silent`);
  let versions = 0;
  const reading = (async () => {
    for await (const chunk of response.body ?? [])
      versions += new TextDecoder().decode(chunk).split("\nid: ").length - 1;
  })().catch(() => {});
  await expect.poll(() => metric("streams"), { timeout: 60_000 }).toBe(6);
  // The events take more bytes than the socket buffers hold.
  let count = 0;
  while ((await metric("streams_dropped_total")) < 5 && count < 2000) {
    for (let more = 0; more < 10; more++) await registry.publish("silent", count++ % 2 === 0 ? large : EMPTY);
  }
  expect(await metric("streams_dropped_total")).toBe(5);
  expect(await metric("streams")).toBe(1);
  // The stream's `start` event counts, too.
  await expect.poll(() => versions, { timeout: 60_000 }).toBe(count + 1);
  for (const socket of sockets) socket.destroy();
  registry.end();
  await reading;
  server.close();
  server.closeAllConnections();
}, 120_000);

test("a HEAD request does not use up a stream", async () => {
  const limited = await openRegistry({ stream_limit: "1" });
  for (let count = 0; count < 3; count++) {
    const response = await limited.request("HEAD", "/events?agent=a");
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  }
  await limited.close();
});
