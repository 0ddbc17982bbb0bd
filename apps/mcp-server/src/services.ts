import { loadSignerKey, openTrailStore, type SignerKey, type TrailStore } from "@agentprint/trail-store";
import type { Logger } from "pino";
import { Quotas } from "./access/quotas.ts";
import { Tokens } from "./access/tokens.ts";
import type { Config } from "./config.ts";
import { RunningCalls } from "./running-calls.ts";

/** The services that the tools and transports of a server share. */
export interface Services {
  readonly config: Config;
  readonly trail: TrailStore;
  readonly tokens: Tokens;
  readonly quotas: Quotas;
  readonly log: Logger;
  readonly calls: RunningCalls;
  /** The key that signs checkpoints. A server without a key starts, but refuses to sign. */
  readonly signing: () => SignerKey;
}

/**
 * Opens what the tools share: the configured trail and its quotas.
 *
 * @throws {@link TrailStoreError} when the database cannot be used.
 */
export async function openServices(config: Config, log: Logger): Promise<Services> {
  const trail = await openTrailStore(config.trail_url);
  return {
    config,
    trail,
    tokens: new Tokens(trail),
    quotas: new Quotas(trail, config),
    log,
    calls: new RunningCalls(),
    signing: () => loadSignerKey(config.name, { url: config.trail_url, file: config.signer_key_file }),
  };
}
