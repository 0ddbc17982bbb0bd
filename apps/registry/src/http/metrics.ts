import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** What a registry counts, for Prometheus. */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: Histogram<"method" | "route" | "status">;
  readonly versions: Counter<"breaking">;
  readonly largeManifests: Counter;
  readonly streams: Gauge;
  readonly deliveries: Counter<"outcome">;
  readonly checkpoints: Counter;
}

/** Metrics of their own, so that several registries can be in one process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
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
    deliveries: new Counter({
      name: "agentprint_registry_deliveries_total",
      help: "Attempts to deliver to webhooks, by outcome.",
      labelNames: ["outcome"],
      registers,
    }),
    checkpoints: new Counter({
      name: "agentprint_registry_checkpoints_total",
      help: "Signed checkpoints.",
      registers,
    }),
  };
}
