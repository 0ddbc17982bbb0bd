import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { EMPTY } from "@agentprint/testing/manifest/scoped-manifests";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Deliveries } from "../src/events/deliveries.ts";
import { addWebhook, listWebhooks } from "../src/events/webhooks.ts";
import { openRegistry, type TestRegistry } from "./support/registry.ts";

interface Message {
  readonly headers: Record<string, string>;
  readonly body: string;
}

let registry: TestRegistry;
let status = 204;
const received: Message[] = [];
const receiver = createServer(async (request: IncomingMessage, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  received.push({ headers: request.headers as Record<string, string>, body });
  response.writeHead(status, { location: "/elsewhere" }).end("x".repeat(100));
});

beforeAll(async () => {
  registry = await openRegistry();
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  await registry.close();
  receiver.close();
});

const urlOf = (): string => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
const voice = { ...EMPTY, capability_flags: { supports_voice: true } };
const minutes = (count: number): Date => new Date(Date.now() + count * 60_000);
/** Sends every message that is due at the given time; returns how many were sent. */
async function deliverAt(date: Date): Promise<number> {
  const deliveries = new Deliveries({ ...registry.services, now: () => date });
  await deliveries.start();
  await deliveries.settled();
  return [...deliveries.counts().outcomes.values()].reduce((sum, count) => sum + count, 0);
}

describe("a webhook", () => {
  test("receives breaking changes of its agent only, with a signature that its secret verifies", async () => {
    const { secret } = await addWebhook(registry.services.store.db, "watched", urlOf(), new Date());
    for (const agent of ["watched", "other"]) {
      await registry.create(agent, EMPTY);
      await registry.publish(agent, voice);
      await registry.publish(agent, EMPTY);
    }
    expect(await deliverAt(minutes(0))).toBe(1);
    const [message] = received.splice(0) as [Message];
    expect(new Webhook(secret).verify(message.body, message.headers)).toMatchObject({
      type: "agent.manifest.breaking",
      data: {
        agent_id: "watched",
        capability_manifest_version: 3,
        breaking_changes: [{ kind: "capability_flag_revoked" }],
      },
    });
    const forged = message.body.replace('"watched"', '"mine"');
    expect(() => new Webhook(secret).verify(forged, message.headers)).toThrow();
    expect(await deliverAt(minutes(1))).toBe(0);
  });

  test("receives an event again with the same id while it fails, and not afterwards", async () => {
    await registry.publish("watched", voice);
    await registry.publish("watched", EMPTY);
    status = 302;
    const attempts: number[] = [];
    for (let minute = 0; minute < 3000; minute += 10) attempts.push(await deliverAt(minutes(minute)));
    expect(attempts.filter((count) => count > 0)).toHaveLength(8);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set(["msg_watched.5"]));
    expect(received.splice(0)).toHaveLength(8);
    status = 204;
  });

  test("that fails once receives the event again later", async () => {
    await registry.publish("watched", voice);
    await registry.publish("watched", EMPTY);
    status = 500;
    expect(await deliverAt(minutes(0))).toBe(1);
    status = 204;
    expect(await deliverAt(minutes(0))).toBe(0);
    expect(await deliverAt(minutes(1))).toBe(1);
    expect(await deliverAt(minutes(2000))).toBe(0);
    expect(received.splice(0)).toHaveLength(2);
  });

  test("that answers 410 is removed", async () => {
    await registry.publish("watched", voice);
    await registry.publish("watched", EMPTY);
    status = 410;
    expect(await deliverAt(minutes(0))).toBe(1);
    expect((await listWebhooks(registry.services.store.db))[0]?.disabled_at).not.toBeNull();
    await registry.publish("watched", voice);
    await registry.publish("watched", EMPTY);
    expect(await deliverAt(minutes(2000))).toBe(0);
  });

  test("is sent by only one of several instances", async () => {
    status = 204;
    received.length = 0;
    await addWebhook(registry.services.store.db, "*", urlOf(), new Date());
    for (let count = 0; count < 6; count++) await registry.publish("other", count % 2 === 0 ? voice : EMPTY);
    const sent = await Promise.all([deliverAt(minutes(0)), deliverAt(minutes(0)), deliverAt(minutes(0))]);
    expect(sent.reduce((sum, count) => sum + count)).toBe(3);
    expect(received).toHaveLength(3);
  });

  test.each(["http://example.com/", "ftp://example.com/", "https://user:secret@example.com/", "x"])(
    "is not added at %s",
    async (url) => {
      const adding = addWebhook(registry.services.store.db, "*", url, new Date());
      await expect(adding).rejects.toMatchObject({ code: "INVALID_CONFIGURATION" });
    },
  );
});
