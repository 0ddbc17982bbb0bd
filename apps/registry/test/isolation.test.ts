import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { EMPTY } from "@agentprint/testing/manifest/scoped-manifests";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Deliveries } from "../src/events/deliveries.ts";
import { addWebhook } from "../src/events/webhooks.ts";
import { issueKey } from "../src/keys/keys.ts";
import { openRegistry, type TestRegistry } from "./support/registry.ts";

const voice = { ...EMPTY, capability_flags: { supports_voice: true } };
const servers: Server[] = [];
let registry: TestRegistry;
beforeAll(async () => {
  registry = await openRegistry();
});
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});
afterAll(() => registry.close());

/** A receiver of messages; a hanging receiver does not answer them. */
async function receiver(hangs: boolean): Promise<{ url: string; received: () => number }> {
  let count = 0;
  const server = createServer((_request, response) => {
    count++;
    if (!hangs) response.writeHead(204).end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received: () => count };
}

const metric = async (name: string): Promise<number> =>
  Number(new RegExp(`^agentprint_registry_${name} (\\S+)$`, "m").exec((await registry.get("/metrics")).text)?.[1]);

test("a damaged chain is reported, and other agents are still signed", async () => {
  const { store, signer } = registry.services;
  const agents = ["a-damaged", "b", "c"];
  for (const agent of agents) await registry.create(agent, EMPTY);
  await sql`drop trigger thoughts_no_update`.execute(store.db);
  await sql`update thoughts set content = '{}' where task_id = 'agents/a-damaged'`.execute(store.db);
  await signer.round();
  const statuses = await Promise.all(
    agents.map(async (one) => (await registry.get(`/agents/${one}/checkpoint`)).status),
  );
  expect(statuses).toEqual([404, 200, 200]);
  const ready = await registry.get("/readyz");
  expect(ready.status).toBe(200);
  expect(ready.text).toMatch(
    /^ok\ncheckpoints: the chain of a-damaged has not been signed since 2\S+Z: not signed: .+\n$/,
  );
  expect(await metric("checkpoints_failing")).toBe(1);
  expect(await metric("checkpoint_failures_total")).toBe(1);
  // Two agents, and the registry's own chain.
  expect(await metric("checkpoints_total")).toBe(3);
  expect(await metric("oldest_unsigned_seconds")).toBeGreaterThan(0);
  // Signing continues: the damaged chain is skipped for a while, and the others are signed.
  await registry.publish("b", EMPTY);
  await signer.round();
  expect((await registry.get("/agents/b/checkpoint")).text).toContain("/agents/b\n2\n");
  expect(await metric("checkpoint_failures_total")).toBe(1);
});

test("a hanging webhook delays no other, and is reported after a long wait", async () => {
  const { store } = registry.services;
  const [hanging, healthy] = [await receiver(true), await receiver(false)];
  const { id } = await addWebhook(store.db, "hooked", hanging.url, new Date());
  await addWebhook(store.db, "hooked", healthy.url, new Date());
  await registry.create("hooked", EMPTY);
  for (let count = 0; count < 60; count++) await registry.publish("hooked", count % 2 === 0 ? voice : EMPTY);
  const ending = new AbortController();
  const deliveries = new Deliveries({ ...registry.services, ending: ending.signal });
  await deliveries.start();
  await expect.poll(healthy.received, { timeout: 60_000 }).toBe(30);
  // The hanging webhook is still at its first messages, a few at a time.
  expect(hanging.received()).toBeLessThanOrEqual(4);
  const waiting = () => store.db.selectFrom("webhook_deliveries").select("webhook_id").distinct().execute();
  await expect.poll(waiting, { timeout: 60_000 }).toEqual([{ webhook_id: id }]);
  ending.abort();
  await deliveries.settled();
  // An attempt that was interrupted because the process ended does not count, and no message is lost.
  const left = await store.db.selectFrom("webhook_deliveries").selectAll().execute();
  expect(left).toHaveLength(30);
  expect(left.every(({ attempts, due_at }) => attempts === 0 && due_at <= Date.now())).toBe(true);
  const later = new Deliveries({
    ...registry.services,
    ending: ending.signal,
    now: () => new Date(Date.now() + 3_600_000),
  });
  await later.start();
  expect(later.problems()).toEqual([]);
  const running = new Deliveries({ ...registry.services, now: () => new Date(Date.now() + 3_600_000) });
  await running.start();
  expect(running.problems()).toEqual([
    expect.stringMatching(new RegExp(`^30 messages waiting for webhook ${id}, oldest since`)),
  ]);
  expect(running.counts()).toMatchObject({ waiting: 30 });
});

test("a key whose changes never arrive uses up no other key's place", async () => {
  await registry.create("place", EMPTY);
  const silent = (): Promise<Response> =>
    Promise.resolve(
      registry.app.request("/agents/place", {
        method: "PATCH",
        headers: { authorization: `Bearer ${registry.token}`, "content-type": "application/json" },
        body: new ReadableStream(),
        duplex: "half",
      } as RequestInit),
    );
  const hanging = Array.from({ length: 200 }, silent);
  const refused = await Promise.race(hanging);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  const { token } = await issueKey(registry.services.store, "place", new Date());
  expect((await registry.publish("place", voice, { token })).status).toBe(200);
});
