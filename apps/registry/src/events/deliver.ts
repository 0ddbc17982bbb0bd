import type { Kysely } from "kysely";
import type { Services } from "../http/services.ts";
import type { RegistryStore } from "../store/open-store.ts";
import { readVersion } from "../store/read.ts";
import type { DeliveryRow, RegistryTables, WebhookRow } from "../store/schema.ts";
import { disableWebhook, signedHeaders } from "./webhooks.ts";

/** The pauses between attempts, as Standard Webhooks suggests them: 28 hours together. After the last one the message is dropped. */
const PAUSES_MS = [5, 300, 1800, 7200, 18_000, 36_000, 36_000].map((seconds) => seconds * 1000);
const TIMEOUT_MS = 15_000;
/** For how long a message is left to the instance that took it; longer than an attempt takes. */
const CLAIM_MS = 60_000;
const MAX_TAKEN = 20;

type Outcome = "delivered" | "gone" | "failed";

/** Sends the messages that are due, and plans those again that did not arrive; returns how many it sent. */
export async function deliverDue(services: Services): Promise<number> {
  const { store, now, metrics, log } = services;
  const due = await takeDue(store.db, now().getTime());
  const attempts = due.map(async (delivery) => {
    const outcome = await attempt(services, delivery);
    metrics.deliveries.inc({ outcome });
    if (outcome !== "delivered")
      log.warn({ webhook: delivery.webhook_id, agent_id: delivery.agent_id, outcome }, "webhook");
    await settle(store.db, delivery, outcome, now());
  });
  await Promise.all(attempts);
  return due.length;
}

/** Takes messages that are due, so that no other instance sends them for a while. */
async function takeDue(db: Kysely<RegistryTables>, now: number): Promise<DeliveryRow[]> {
  const due = await db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .limit(MAX_TAKEN)
    .execute();
  const taken: DeliveryRow[] = [];
  for (const delivery of due) {
    // If another instance was faster, the message is not due any more as it was read.
    const claim = db
      .updateTable("webhook_deliveries")
      .set({ due_at: now + CLAIM_MS })
      .where("due_at", "=", delivery.due_at);
    const { numUpdatedRows } = await ofDelivery(claim, delivery).executeTakeFirstOrThrow();
    if (numUpdatedRows === 1n) taken.push(delivery);
  }
  return taken;
}

async function attempt({ store, now }: Services, delivery: DeliveryRow): Promise<Outcome> {
  const webhook = await store.db
    .selectFrom("webhooks")
    .selectAll()
    .where("id", "=", delivery.webhook_id)
    .executeTakeFirstOrThrow();
  if (webhook.disabled_at !== null) return "gone";
  return send(webhook, `msg_${delivery.agent_id}.${delivery.version}`, await payloadOf(store, delivery), now());
}

async function payloadOf(store: RegistryStore, { agent_id, version }: DeliveryRow): Promise<string> {
  const row = await readVersion(store, agent_id, version);
  const data = {
    agent_id,
    capability_manifest_version: version,
    capability_manifest_hash: row.hash,
    breaking_changes: JSON.parse(row.breaking_changes),
    weakens_consent: row.weakens_consent === 1,
  };
  return JSON.stringify({ type: "agent.manifest.breaking", timestamp: row.created_at, data });
}

async function send({ url, secret }: WebhookRow, id: string, payload: string, at: Date): Promise<Outcome> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: signedHeaders(secret, id, at, payload),
      body: payload,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok ? "delivered" : response.status === 410 ? "gone" : "failed";
  } catch {
    return "failed";
  }
}

async function settle(db: Kysely<RegistryTables>, delivery: DeliveryRow, outcome: Outcome, now: Date): Promise<void> {
  const pause = PAUSES_MS[delivery.attempts];
  if (outcome === "gone") await disableWebhook(db, delivery.webhook_id, now).catch(() => {});
  else if (outcome === "delivered" || pause === undefined) {
    await ofDelivery(db.deleteFrom("webhook_deliveries"), delivery).execute();
  } else {
    const next = { attempts: delivery.attempts + 1, due_at: now.getTime() + pause };
    await ofDelivery(db.updateTable("webhook_deliveries").set(next), delivery).execute();
  }
}

/** Limits a query to the row of a message. */
function ofDelivery<Query extends { where(column: string, operator: "=", value: unknown): Query }>(
  query: Query,
  { webhook_id, agent_id, version }: DeliveryRow,
): Query {
  return query.where("webhook_id", "=", webhook_id).where("agent_id", "=", agent_id).where("version", "=", version);
}
