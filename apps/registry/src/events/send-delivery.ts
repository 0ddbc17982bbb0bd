import type { RegistryStore } from "../store/open-store.ts";
import { readVersion } from "../store/read.ts";
import type { DeliveryRow, WebhookRow } from "../store/schema.ts";
import { signedHeaders } from "./webhooks.ts";

const TIMEOUT_MS = 15_000;

/**
 * The result of an attempt to send a message. `gone`: the webhook is disabled or answers 410; `ended`: the process is
 * ending, and the attempt is not counted.
 */
export type Outcome = "delivered" | "gone" | "failed" | "ended";

/** Sends a message once. */
export async function attemptDelivery(
  store: RegistryStore,
  delivery: DeliveryRow,
  at: Date,
  ending: AbortSignal,
): Promise<Outcome> {
  const webhook = await store.db
    .selectFrom("webhooks")
    .selectAll()
    .where("id", "=", delivery.webhook_id)
    .executeTakeFirstOrThrow();
  if (webhook.disabled_at !== null) return "gone";
  const payload = await payloadOf(store, delivery);
  return send(webhook, `msg_${delivery.agent_id}.${delivery.version}`, payload, at, ending);
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

async function send(
  { url, secret }: WebhookRow,
  id: string,
  payload: string,
  at: Date,
  ending: AbortSignal,
): Promise<Outcome> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: signedHeaders(secret, id, at, payload),
      body: payload,
      redirect: "manual",
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ending]),
    });
    await response.body?.cancel();
    return response.ok ? "delivered" : response.status === 410 ? "gone" : "failed";
  } catch {
    return ending.aborted ? "ended" : "failed";
  }
}
