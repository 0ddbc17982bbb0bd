import type { Context } from "hono";
import { RegistryError } from "../errors.ts";
import { EVERY_AGENT, findKey } from "../keys/keys.ts";
import type { KeyRow } from "../store/schema.ts";
import type { Limits } from "./limits.ts";
import type { Env } from "./route.ts";
import type { Services } from "./services.ts";

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/**
 * Returns the key with which a request that changes something was sent.
 *
 * @throws {@link RegistryError} `UNAUTHENTICATED` when the request's token is missing or wrong, `KEY_SUSPENDED`,
 * `RATE_LIMITED`.
 */
export async function authenticate(
  { store, keyUses, now }: Services,
  limits: Limits,
  context: Context<Env>,
): Promise<KeyRow> {
  const [, token] = BEARER.exec(context.req.header("authorization") ?? "") ?? [];
  const key = token === undefined ? undefined : await findKey(store, token, now());
  if (!key || key.suspended_at !== null) {
    const settle = await limits.countRequest(context, 1);
    settle(0);
    await limits.countFailure(context);
    const challenge = `Bearer realm="agentprint-registry"${token === undefined ? "" : ', error="invalid_token"'}`;
    if (key) {
      const message = `a rollback suspended the key ${key.id}: the operator can confirm it with agentprint-registry keys confirm ${key.id}`;
      throw new RegistryError("KEY_SUSPENDED", message, { headers: { "www-authenticate": challenge } });
    }
    throw new RegistryError("UNAUTHENTICATED", "expected Authorization: Bearer with a key of this registry", {
      headers: { "www-authenticate": challenge },
    });
  }
  context.set("keyId", key.id);
  await limits.countChange(key.id);
  keyUses.note(key.id, now());
  return key;
}

/**
 * Checks that a key may change an agent.
 *
 * @throws {@link RegistryError} `FORBIDDEN`.
 */
export function checkAgentOf(key: KeyRow, agentId: string): void {
  if (key.agent_id === EVERY_AGENT || key.agent_id === agentId) return;
  throw new RegistryError("FORBIDDEN", `the key ${key.id} gives no access to the agent ${JSON.stringify(agentId)}`);
}
