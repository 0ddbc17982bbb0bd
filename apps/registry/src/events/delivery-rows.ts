import type { Kysely } from "kysely";
import type { DeliveryRow, RegistryTables } from "../store/schema.ts";
import type { Outcome } from "./send-delivery.ts";
import { disableWebhook } from "./webhooks.ts";

/**
 * The pauses between attempts that Standard Webhooks suggests: 28 hours in total. After the last attempt, the message
 * is dropped.
 */
const PAUSES_MS = [5, 300, 1800, 7200, 18_000, 36_000, 36_000].map((seconds) => seconds * 1000);
/** How long a message is reserved for the instance that took it; longer than an attempt may take. */
const CLAIM_MS = 60_000;
/** The most messages that are counted for one webhook. */
const MAX_COUNTED = 1000;

/** The messages that one webhook has not received yet. */
export interface Backlog {
  readonly webhookId: string;
  /** At most 1,000 are counted. */
  readonly count: number;
  /** The time when the oldest message's version was accepted, in ISO 8601. */
  readonly since: string;
}

/** Returns the webhooks that have a due message. */
export async function dueWebhooks(db: Kysely<RegistryTables>, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom("webhooks")
    .select("id")
    .where("disabled_at", "is", null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("webhook_deliveries")
          .select("version")
          .whereRef("webhook_id", "=", "webhooks.id")
          .where("due_at", "<=", now),
      ),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns the waiting messages, by webhook. */
export async function backlogOf(db: Kysely<RegistryTables>): Promise<Backlog[]> {
  const webhooks = await db.selectFrom("webhooks").select("id").where("disabled_at", "is", null).execute();
  const backlogs: Backlog[] = [];
  for (const { id: webhookId } of webhooks) {
    const waiting = db.selectFrom("webhook_deliveries").where("webhook_id", "=", webhookId);
    const rows = await waiting.select("stored_at").orderBy("stored_at").limit(MAX_COUNTED).execute();
    const [oldest] = rows;
    if (oldest) backlogs.push({ webhookId, count: rows.length, since: new Date(oldest.stored_at).toISOString() });
  }
  return backlogs;
}

/** Takes a webhook's longest-due messages, so that no other instance sends them for a while. */
export async function takeDue(
  db: Kysely<RegistryTables>,
  webhookId: string,
  now: number,
  limit: number,
): Promise<DeliveryRow[]> {
  const due = await db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("webhook_id", "=", webhookId)
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .limit(limit)
    .execute();
  const taken: DeliveryRow[] = [];
  for (const delivery of due) {
    // If another instance was faster, the message's due time is no longer the one that was read.
    const claim = db
      .updateTable("webhook_deliveries")
      .set({ due_at: now + CLAIM_MS })
      .where("due_at", "=", delivery.due_at);
    const { numUpdatedRows } = await ofDelivery(claim, delivery).executeTakeFirstOrThrow();
    if (numUpdatedRows === 1n) taken.push(delivery);
  }
  return taken;
}

/** Puts back a message that was taken but not sent. */
export async function release(db: Kysely<RegistryTables>, delivery: DeliveryRow): Promise<void> {
  await ofDelivery(db.updateTable("webhook_deliveries").set({ due_at: delivery.due_at }), delivery).execute();
}

/**
 * Deletes a message that was delivered or given up, schedules another attempt, or disables a webhook that no longer
 * exists.
 */
export async function settle(
  db: Kysely<RegistryTables>,
  delivery: DeliveryRow,
  outcome: Outcome,
  now: Date,
): Promise<void> {
  const pause = PAUSES_MS[delivery.attempts];
  if (outcome === "gone") await disableWebhook(db, delivery.webhook_id, now).catch(() => {});
  else if (outcome === "delivered" || pause === undefined) {
    await ofDelivery(db.deleteFrom("webhook_deliveries"), delivery).execute();
  } else {
    const next = { attempts: delivery.attempts + 1, due_at: now.getTime() + pause };
    await ofDelivery(db.updateTable("webhook_deliveries").set(next), delivery).execute();
  }
}

/** Restricts a query to a message's row. */
function ofDelivery<Query extends { where(column: string, operator: "=", value: unknown): Query }>(
  query: Query,
  { webhook_id, agent_id, version }: DeliveryRow,
): Query {
  return query.where("webhook_id", "=", webhook_id).where("agent_id", "=", agent_id).where("version", "=", version);
}
