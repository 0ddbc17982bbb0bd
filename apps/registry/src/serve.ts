import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { Logger } from "pino";
import type { Config } from "./config/config.ts";
import { loadSigning } from "./config/signer-key.ts";
import { DiffJudge } from "./diff/judge.ts";
import { RegistryError } from "./errors.ts";
import { deliverDue } from "./events/deliver.ts";
import { createNotifier } from "./events/notifier.ts";
import { createApp } from "./http/app.ts";
import { createMetrics } from "./http/metrics.ts";
import type { Services } from "./http/services.ts";
import { repeat } from "./repeat.ts";
import { ManifestCache } from "./store/manifest-cache.ts";
import { isMigrated, migrate } from "./store/migrations.ts";
import { openStore, type RegistryStore } from "./store/open-store.ts";
import { startTracing } from "./tracing.ts";
import { signCheckpoints } from "./trail/checkpoints.ts";

/** How long requests may take to arrive, and to end when the process is told to end. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** How often that is looked at; by default Node does so every 30 seconds. */
const CHECK_INTERVAL_MS = 1000;
const ENDING_TIMEOUT_MS = 10_000;
const CLOSE_IDLE_MS = 20;
/** How often messages are looked for whose next attempt is due. */
const DELIVERY_INTERVAL_MS = 1000;

/** A registry that answers requests. */
export interface RunningRegistry {
  readonly url: string;
  /** Ends streams, lets requests end, signs what is not signed yet, and closes the database. */
  readonly close: () => Promise<void>;
}

/**
 * Starts a registry.
 *
 * @throws {@link RegistryError} `INVALID_CONFIGURATION`.
 * @throws {@link TrailStoreError} when the database cannot be used.
 */
export async function startRegistry(config: Config, log: Logger): Promise<RunningRegistry> {
  const ending = new AbortController();
  const services = await openServices(config, log, ending.signal);
  try {
    const server = createAdaptorServer({
      fetch: createApp(services).fetch,
      serverOptions: {
        requestTimeout: REQUEST_TIMEOUT_MS,
        headersTimeout: HEADERS_TIMEOUT_MS,
        connectionsCheckingInterval: CHECK_INTERVAL_MS,
      },
    }) as Server;
    await listen(server, config);
    const checkpoints = repeat(config.checkpoint_interval_seconds * 1000, () => checkpoint(services));
    const deliveries = repeat(DELIVERY_INTERVAL_MS, () => deliver(services));
    const stopListening = services.notifier.listen((_agent, isBreaking) => {
      if (isBreaking) deliveries.wake();
    });
    const { port, address, family } = server.address() as AddressInfo;
    const url = `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
    return {
      url,
      close: async () => {
        stopListening();
        await close(services, server, ending, [checkpoints, deliveries]);
      },
    };
  } catch (error) {
    await closeServices(services);
    throw error;
  }
}

/** Opens what the routes share: the database, the key for checkpoints, the metrics. */
export async function openServices(config: Config, log: Logger, ending: AbortSignal): Promise<Services> {
  const signing = loadSigning(config);
  const store = await openStore(config.database);
  try {
    await prepareTables(store);
  } catch (error) {
    await store.close();
    throw error;
  }
  return {
    config,
    store,
    signing,
    log,
    manifests: new ManifestCache(),
    judge: new DiffJudge(),
    notifier: createNotifier(config.database),
    metrics: createMetrics(),
    tracing: config.otel_endpoint === undefined ? undefined : await startTracing(config.otel_endpoint),
    now: () => new Date(),
    ending,
  };
}

/** Closes what {@link openServices} opened. */
export async function closeServices({ notifier, store, tracing, judge, log }: Services): Promise<void> {
  await judge.close();
  await tracing?.end().catch((error: unknown) => log.warn({ err: error }, "traces could not be sent"));
  await notifier.close();
  await store.close();
}

/**
 * Makes the tables of an SQLite file. Those of PostgreSQL are made by command, because several instances may be running.
 *
 * @throws {@link RegistryError} `INVALID_CONFIGURATION` when the tables of PostgreSQL are not those of this version.
 */
export async function prepareTables({ db, dialect }: RegistryStore): Promise<void> {
  if (dialect === "sqlite") await migrate(db);
  else if (!(await isMigrated(db))) {
    const message = "the database has to be migrated first: agentprint-registry migrate";
    throw new RegistryError("INVALID_CONFIGURATION", message);
  }
}

async function checkpoint({ store, signing, metrics, log }: Services): Promise<void> {
  try {
    const agents = await signCheckpoints(store.db, store.trail, signing);
    metrics.checkpoints.inc(agents.length);
    if (agents.length > 0) log.info({ agents: agents.length }, "checkpoints were signed");
  } catch (error) {
    log.error({ err: error }, "checkpoints could not be signed");
  }
}

async function deliver(services: Services): Promise<void> {
  try {
    while ((await deliverDue(services)) > 0 && !services.ending.aborted);
  } catch (error) {
    services.log.error({ err: error }, "webhooks could not be told");
  }
}

async function close(
  services: Services,
  server: Server,
  ending: AbortController,
  jobs: readonly { readonly end: () => Promise<void> }[],
): Promise<void> {
  ending.abort();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection whose last answer ends meanwhile would be kept for the next request.
  const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
  const late = setTimeout(() => server.closeAllConnections(), ENDING_TIMEOUT_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
  for (const job of jobs) await job.end();
  await checkpoint(services);
  await closeServices(services);
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      const { code } = cause as NodeJS.ErrnoException;
      reject(new RegistryError("INVALID_CONFIGURATION", `cannot listen on ${host}:${port}: ${code}`, { cause }));
    });
    server.listen(port, host, resolve);
  });
}
