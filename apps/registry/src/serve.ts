import { setMaxListeners } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { boundConnections } from "@agentprint/http-bounds";
import type { SignerKey, TrailTransaction } from "@agentprint/trail-store";
import { createAdaptorServer } from "@hono/node-server";
import type { Logger } from "pino";
import type { Config } from "./config/config.ts";
import { checkNotLost, loadSigning } from "./config/signer-key.ts";
import { DiffJudge } from "./diff/judge.ts";
import { RegistryError } from "./errors.ts";
import { Claims } from "./events/claims.ts";
import { Deliveries } from "./events/deliveries.ts";
import { EventHub } from "./events/event-hub.ts";
import { createNotifier } from "./events/notifier.ts";
import { ALIVE } from "./http/answer-request.ts";
import { createApp } from "./http/app.ts";
import { createMetrics } from "./http/metrics.ts";
import type { Services } from "./http/services.ts";
import { KeyUses } from "./keys/key-uses.ts";
import { AgentQueue } from "./load/agent-queue.ts";
import { within } from "./load/within.ts";
import { repeat } from "./repeat.ts";
import { checkStart, type RollbackOptions } from "./rollback/check-start.ts";
import { checkSigner } from "./signer/rotate-signer.ts";
import { deleteOldIdempotency } from "./store/idempotency.ts";
import { ManifestCache } from "./store/manifest-cache.ts";
import { isMigrated, migrate } from "./store/migrations.ts";
import { openStore, type RegistryStore } from "./store/open-store.ts";
import type { RegistryTables } from "./store/schema.ts";
import { startTracing } from "./tracing.ts";
import { CheckpointSigner } from "./trail/checkpoint-signer.ts";
import { TrailThread } from "./trail/trail-thread.ts";

/** The time that requests may take to arrive. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** The interval of that check; Node's default is 30 seconds. */
const CHECK_INTERVAL_MS = 1000;
/**
 * Time limits for a shutdown: for running requests, for these and the last checkpoints, and for closing; together less
 * than 5 s.
 */
const ENDING_TIMEOUT_MS = 2000;
const SIGNING_TIMEOUT_MS = 4000;
const CLOSING_TIMEOUT_MS = 300;
const CLOSE_IDLE_MS = 20;
/** How often the registry looks for due messages. */
const DELIVERY_INTERVAL_MS = 1000;
/** How often uses of keys are stored, so that a list of keys shows a use within a minute. */
const KEY_USES_INTERVAL_MS = 20_000;
const CLEANING_INTERVAL_MS = 3_600_000;
/** The time that PostgreSQL may take for one statement. */
const STATEMENT_TIMEOUT_MS = 2000;

/** A registry that answers requests. */
export interface RunningRegistry {
  readonly url: string;
  /** Ends streams, lets requests finish, signs the unsigned versions, and closes the database. */
  readonly close: () => Promise<void>;
}

/**
 * Starts a registry.
 *
 * @throws {@link RegistryError} `INVALID_CONFIGURATION`; `ROLLED_BACK` when the database is older than the checkpoints kept elsewhere.
 * @throws {@link TrailStoreError} when the database cannot be used.
 */
export async function startRegistry(
  config: Config,
  log: Logger,
  rollback: RollbackOptions = { accept: false },
): Promise<RunningRegistry> {
  const ending = new AbortController();
  checkNotLost(config);
  const services = await openServices(config, log, ending.signal);
  try {
    await checkSigner(services.store, services.signing);
    // An accepted rollback is signed before any client can read the older versions.
    if (await checkStart({ ...services, checkpointTo: config.checkpoint_to }, rollback)) await services.signer.round();
    const server = createAdaptorServer({
      fetch: createApp(services).fetch,
      serverOptions: {
        requestTimeout: REQUEST_TIMEOUT_MS,
        headersTimeout: HEADERS_TIMEOUT_MS,
        connectionsCheckingInterval: CHECK_INTERVAL_MS,
      },
    }) as Server;
    boundConnections(server, { urgentPath: ALIVE });
    await listen(server, config);
    const interval = config.checkpoint_interval_seconds * 1000;
    const checkpoints = repeat(interval, () => within(interval, services.signer.round()));
    // Signs the versions that an earlier instance left unsigned, which also starts the thread before it is needed.
    checkpoints.wake();
    const deliveries = repeat(DELIVERY_INTERVAL_MS, () => services.deliveries.start());
    const uses = repeat(KEY_USES_INTERVAL_MS, () => storeUses(services));
    const cleaning = repeat(CLEANING_INTERVAL_MS, () => clean(services));
    const stopListening = services.notifier.listen((_agent, isBreaking) => {
      if (isBreaking) deliveries.wake();
    });
    const { port, address, family } = server.address() as AddressInfo;
    const url = `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
    return {
      url,
      close: async () => {
        stopListening();
        await close(services, server, ending, [checkpoints, deliveries, uses, cleaning]);
      },
    };
  } catch (error) {
    await closeServices(services);
    throw error;
  }
}

/** Opens the routes' shared resources: the database, the key for checkpoints, and the metrics. */
export async function openServices(config: Config, log: Logger, ending: AbortSignal): Promise<Services> {
  // The database is created before the key, so a key without a database belongs to a registry that was lost.
  const store = await openStore(config.database, { statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  let signing: SignerKey;
  try {
    await prepareTables(store);
    signing = loadSigning(config);
  } catch (error) {
    await store.close();
    throw error;
  }
  // There is no limit on listeners, because every stream listens for the shutdown.
  setMaxListeners(0, ending);
  const now = (): Date => new Date();
  const notifier = createNotifier(config.database);
  const thread = new TrailThread({ config, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  const signer = new CheckpointSigner({ thread, log, now });
  const deliveries = new Deliveries({ store, log, now, ending });
  return {
    config,
    store,
    signing,
    log,
    manifests: new ManifestCache(),
    judge: new DiffJudge(),
    thread,
    queue: new AgentQueue(),
    notifier,
    keyUses: new KeyUses(),
    hub: new EventHub(store, notifier, log),
    claims: new Claims(store, log),
    signer,
    deliveries,
    metrics: createMetrics({ signer, deliveries }),
    tracing: config.otel_endpoint === undefined ? undefined : await startTracing(config.otel_endpoint),
    now,
    ending,
  };
}

/** Closes what {@link openServices} opened; whatever does not close soon is left open until the process exits. */
export async function closeServices({ notifier, hub, store, tracing, judge, thread, log }: Services): Promise<void> {
  const ends = [
    judge.close(),
    thread.close(),
    hub.close(),
    notifier.close(),
    tracing?.end().catch((error: unknown) => log.warn({ err: error }, "traces could not be sent")),
  ];
  await within(CLOSING_TIMEOUT_MS, Promise.all(ends));
  await within(CLOSING_TIMEOUT_MS, store.close());
}

/**
 * Creates the tables in a SQLite file. In PostgreSQL, a command creates the tables, because several instances may be
 * running.
 *
 * @throws {@link RegistryError} `INVALID_CONFIGURATION` when the tables in PostgreSQL belong to another version.
 */
export async function prepareTables({ db, dialect }: RegistryStore): Promise<void> {
  if (dialect === "sqlite") await migrate(db);
  else if (!(await isMigrated(db))) {
    const message = "the database must be migrated first: agentprint-registry migrate";
    throw new RegistryError("INVALID_CONFIGURATION", message);
  }
}

async function clean({ store, now, log }: Services): Promise<void> {
  try {
    await store.trail.transact(({ db }: TrailTransaction<RegistryTables>) => deleteOldIdempotency(db, now()));
  } catch (error) {
    log.warn({ err: error }, "old answers could not be deleted");
  }
}

async function storeUses({ store, keyUses, log }: Services): Promise<void> {
  try {
    await keyUses.store(store);
  } catch (error) {
    log.warn({ err: error }, "the keys' uses could not be stored");
  }
}

async function close(
  services: Services,
  server: Server,
  ending: AbortController,
  jobs: readonly { readonly end: () => Promise<void> }[],
): Promise<void> {
  ending.abort();
  const started = performance.now();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Otherwise a connection whose last answer ends in the meantime would be kept open for the next request.
  const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
  const ends = [closed, services.deliveries.settled(), ...jobs.map((job) => job.end())];
  await within(ENDING_TIMEOUT_MS, Promise.all(ends));
  clearInterval(idle);
  server.closeAllConnections();
  const signed = storeUses(services).then(() => services.signer.round());
  await within(SIGNING_TIMEOUT_MS - (performance.now() - started), signed);
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
