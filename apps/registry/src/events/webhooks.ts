import { randomBytes, randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { Webhook } from "standardwebhooks";
import { RegistryError } from "../errors.ts";
import type { RegistryTables, WebhookRow } from "../store/schema.ts";

/** A webhook that was just added, with its secret, which is shown only then. */
export interface NewWebhook {
  readonly id: string;
  /** `whsec_…`, as Standard Webhooks writes it. */
  readonly secret: string;
}

/**
 * Adds a webhook for an agent's breaking changes, or with `*` for every agent's.
 *
 * @throws {@link RegistryError} `INVALID_CONFIGURATION` when `url` is neither an `https:` URL nor an `http:` URL of
 * this machine.
 */
export async function addWebhook(
  db: Kysely<RegistryTables>,
  agentId: string,
  url: string,
  now: Date,
): Promise<NewWebhook> {
  checkUrl(url);
  const webhook = { id: randomUUID(), secret: `whsec_${randomBytes(32).toString("base64")}` };
  await db
    .insertInto("webhooks")
    .values({ ...webhook, agent_id: agentId, url, created_at: now.toISOString(), disabled_at: null })
    .execute();
  return webhook;
}

/** Returns every webhook, oldest first. */
export async function listWebhooks(db: Kysely<RegistryTables>): Promise<WebhookRow[]> {
  return db.selectFrom("webhooks").selectAll().orderBy("created_at").orderBy("id").execute();
}

/**
 * Disables a webhook, and drops the messages that it has not received.
 *
 * @throws {@link RegistryError} `WEBHOOK_NOT_FOUND`.
 */
export async function disableWebhook(db: Kysely<RegistryTables>, id: string, now: Date): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("webhooks")
    .set({ disabled_at: now.toISOString() })
    .where("id", "=", id)
    .where("disabled_at", "is", null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new RegistryError("WEBHOOK_NOT_FOUND", `there is no webhook ${JSON.stringify(id)}`);
  await db.deleteFrom("webhook_deliveries").where("webhook_id", "=", id).execute();
}

/** Returns the headers that sign a message (Standard Webhooks). */
export function signedHeaders(secret: string, id: string, at: Date, payload: string): Record<string, string> {
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, at, payload),
  };
}

function checkUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url?.protocol === "http:" && ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
  if (url && (url.protocol === "https:" || isLocal) && url.username === "" && url.password === "") return;
  const expected = "an https: URL without user information, or an http: URL of this machine";
  throw new RegistryError("INVALID_CONFIGURATION", `expected ${expected}`);
}
