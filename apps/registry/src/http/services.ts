import type { SignerKey } from "@agentprint/trail-store";
import type { MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import type { DiffJudge } from "../diff/judge.ts";
import type { Claims } from "../events/claims.ts";
import type { Deliveries } from "../events/deliveries.ts";
import type { EventHub } from "../events/event-hub.ts";
import type { Notifier } from "../events/notifier.ts";
import type { KeyUses } from "../keys/key-uses.ts";
import type { AgentQueue } from "../load/agent-queue.ts";
import type { ManifestCache } from "../store/manifest-cache.ts";
import type { RegistryStore } from "../store/open-store.ts";
import type { CheckpointSigner } from "../trail/checkpoint-signer.ts";
import type { TrailThread } from "../trail/trail-thread.ts";
import type { Metrics } from "./metrics.ts";

/** Traces of requests, which are sent to a collector. */
export interface Tracing {
  readonly middleware: MiddlewareHandler;
  /** Sends everything that is still unsent. */
  readonly end: () => Promise<void>;
}

/** The services that a registry's routes share. */
export interface Services {
  readonly config: Config;
  readonly store: RegistryStore;
  readonly manifests: ManifestCache;
  readonly judge: DiffJudge;
  /** Reads complete chains, to sign or prove them. */
  readonly thread: TrailThread;
  /** The queue of changes for each agent in PostgreSQL. */
  readonly queue: AgentQueue;
  readonly notifier: Notifier;
  readonly hub: EventHub;
  readonly claims: Claims;
  readonly signer: CheckpointSigner;
  readonly deliveries: Deliveries;
  readonly keyUses: KeyUses;
  readonly signing: SignerKey;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** Traces each request if the configuration names a collector. */
  readonly tracing: Tracing | undefined;
  readonly now: () => Date;
  /** Aborted when the process receives a signal to end; ends streams and readiness. */
  readonly ending: AbortSignal;
}
