import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Deliveries } from "../events/deliveries.ts";
import type { CheckpointSigner } from "../trail/checkpoint-signer.ts";

/** A registry's metrics, for Prometheus. */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: Histogram<"method" | "route" | "status">;
  readonly versions: Counter<"breaking">;
  readonly largeManifests: Counter;
  readonly streams: Gauge;
  readonly droppedStreams: Counter;
}

/** The sources of counts that are read whenever the metrics are read. */
export interface Counted {
  readonly signer: Pick<CheckpointSigner, "counts">;
  readonly deliveries: Pick<Deliveries, "counts">;
}

/** Creates separate metrics, so that one process can run several registries. */
export function createMetrics(counted: Counted): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  addCounted(registers, counted);
  return {
    registry,
    requests: new Histogram({
      name: "agentprint_registry_request_seconds",
      help: "How long requests took, by route and status.",
      labelNames: ["method", "route", "status"],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    versions: new Counter({
      name: "agentprint_registry_versions_total",
      help: "Accepted versions, by whether they have breaking changes.",
      labelNames: ["breaking"],
      registers,
    }),
    largeManifests: new Counter({
      name: "agentprint_registry_large_manifests_total",
      help: "Accepted manifests of 64 KB or more.",
      registers,
    }),
    streams: new Gauge({ name: "agentprint_registry_streams", help: "Open streams of events.", registers }),
    droppedStreams: new Counter({
      name: "agentprint_registry_streams_dropped_total",
      help: "Streams that were ended because their clients did not read.",
      registers,
    }),
  };
}

function addCounted(registers: Registry[], { signer, deliveries }: Counted): void {
  const gauge = (name: string, help: string, read: () => number): void => {
    const one: Gauge = new Gauge({
      name: `agentprint_registry_${name}`,
      help,
      registers,
      collect: () => one.set(read()),
    });
  };
  const counter = (name: string, help: string, read: () => number): void => {
    const one: Counter = new Counter({
      name: `agentprint_registry_${name}`,
      help,
      registers,
      collect: () => {
        one.reset();
        one.inc(read());
      },
    });
  };
  counter("checkpoints_total", "Signed checkpoints.", () => signer.counts().signed);
  counter("checkpoint_failures_total", "Checkpoints that could not be signed.", () => signer.counts().failures);
  gauge("checkpoints_failing", "Agents whose chain cannot be signed.", () => signer.counts().failing);
  gauge(
    "checkpoints_unsent",
    "Chains whose newest checkpoint was not sent to checkpoint_to.",
    () => signer.counts().unsent,
  );
  gauge(
    "oldest_unsigned_seconds",
    "How long the oldest version without a checkpoint has waited, as of the last round of signing.",
    () => signer.counts().oldestMs / 1000,
  );
  gauge(
    "deliveries_waiting",
    "Messages waiting for webhooks, counted up to 1,000 for each webhook.",
    () => deliveries.counts().waiting,
  );
  gauge(
    "deliveries_oldest_seconds",
    "How long the oldest of them has waited.",
    () => deliveries.counts().oldestMs / 1000,
  );
  const outcomes: Counter<"outcome"> = new Counter({
    name: "agentprint_registry_deliveries_total",
    help: "Attempts to deliver to webhooks, by outcome.",
    labelNames: ["outcome"],
    registers,
    collect: () => {
      outcomes.reset();
      for (const [outcome, count] of deliveries.counts().outcomes) outcomes.inc({ outcome }, count);
    },
  });
}
