import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { withScopes } from "@agentprint/testing/manifest/scoped-manifests";
import { startProcess } from "@agentprint/testing/registry-process";
import { killServices } from "@agentprint/testing/service-process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addWebhook } from "../../src/events/webhooks.ts";
import { openStore } from "../../src/store/open-store.ts";
import { checkWhole, prepare, publish } from "../support/storm.ts";

/** The registry promises five seconds; the rest allows for a busy machine. */
const ENDS_WITHIN_MS = 8000;

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "registry-ending-"));
});
afterEach(() => {
  killServices();
  rmSync(folder, { recursive: true });
});

test("SIGTERM takes effect within seconds, and cuts off a webhook, a request and a stream that do not end", async () => {
  const settings = { database: `file:${join(folder, "registry.db")}` };
  const token = await prepare(settings);
  let arrived = 0;
  const receiver = createServer(() => arrived++);
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const store = await openStore(settings.database);
  await addWebhook(store.db, "*", `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, new Date());
  const registry = await startProcess(settings);
  const { hostname, port } = new URL(registry.url);
  const upload = connect(Number(port), hostname).on("error", () => {});
  upload.write(
    `PATCH /agents/demo HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{`,
  );
  const stream = await fetch(`${registry.url}/events?agent=demo`);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify(withScopes({ "a:b": "low" }));
  expect((await fetch(`${registry.url}/agents/demo`, { method: "PATCH", headers, body })).status).toBe(200);
  expect(await publish(registry.url, token, 1)).toBe(3);
  await expect.poll(() => arrived, { timeout: 60_000 }).toBe(1);
  const signed = () => store.db.selectFrom("checkpoints").select("size").orderBy("size", "desc").executeTakeFirst();
  await expect.poll(signed, { timeout: 60_000 }).toEqual({ size: 3 });
  expect(await Promise.race([registry.end(), delay(ENDS_WITHIN_MS, "it goes on")])).toBe(0);
  await stream.text();
  // The next instance finds the message, and no attempt was counted.
  const left = await store.db.selectFrom("webhook_deliveries").selectAll().execute();
  expect(left).toMatchObject([{ agent_id: "demo", version: 3, attempts: 0 }]);
  expect(left[0]?.due_at).toBeLessThanOrEqual(Date.now());
  expect(await signed()).toEqual({ size: 3 });
  await store.close();
  receiver.close();
  receiver.closeAllConnections();
  expect(await checkWhole(settings.database, [2, 3])).toBe(3);
});
