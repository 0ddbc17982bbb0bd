import { setTimeout as sleep } from "node:timers/promises";
import { GRACE } from "@agentprint/guard-proxy";
import type { Context } from "../run/context.ts";
import { CliError, notInstalled, reasonOf } from "../run/errors.ts";
import { printNotices } from "../terminal/notices.ts";
import type { GuardCommandOptions } from "./guard-options.ts";
import type { Observer } from "./observer.ts";
import { RequestSpans } from "./request-spans.ts";

/** The maximum length of an attribute, in characters, because clients choose the names of tools and resources. */
const MAX_ATTRIBUTE = 4096;

/** The package for each protocol that `OTEL_EXPORTER_OTLP_PROTOCOL` can name. */
const EXPORTERS = {
  "http/protobuf": () => import("@opentelemetry/exporter-trace-otlp-proto"),
  "http/json": () => import("@opentelemetry/exporter-trace-otlp-http"),
};

/** Every component that sends spans, over any protocol; these need Node 22.15. */
const PACKAGES = [
  "@opentelemetry/api",
  "@opentelemetry/core",
  "@opentelemetry/exporter-trace-otlp-http",
  "@opentelemetry/exporter-trace-otlp-proto",
  "@opentelemetry/resources",
  "@opentelemetry/sdk-trace",
];

/**
 * Sends a span for each request to an OpenTelemetry collector, as the environment variables `OTEL_*` specify. Only this
 * module loads the libraries, so that a guard without `--otel` starts without them.
 *
 * @throws {@link CliError} `usage` when the libraries are not installed, or the protocol is not one over HTTP
 */
export async function openTracing(
  context: Context,
  { http, dryRun }: Pick<GuardCommandOptions, "http" | "dryRun">,
): Promise<Observer> {
  const { load, protocol } = exporterOf(context.env);
  const [{ OTLPTraceExporter }, api, core, resources, { BatchSpanProcessor, TracerProvider }] = await Promise.all([
    load(),
    import("@opentelemetry/api"),
    import("@opentelemetry/core"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/sdk-trace"),
  ]).catch((error: unknown) => {
    throw notInstalled("the packages of OpenTelemetry", PACKAGES, { where: "--otel", cause: error });
  });
  let isReported = false;
  core.setGlobalErrorHandler((error) => {
    if (!isReported) printNotices(context, [`spans cannot be sent (${protocol}): ${reasonOf(error)}`]);
    isReported = true;
  });
  const named = resources.resourceFromAttributes({ "service.name": "agentprint-guard" });
  const said = resources.detectResources({ detectors: [resources.envDetector] });
  const provider = new TracerProvider({
    resource: resources.defaultResource().merge(named).merge(said),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE },
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const spans = new RequestSpans(provider.getTracer("agentprint"), {
    parentOf: (carrier) =>
      new core.W3CTraceContextPropagator().extract(api.ROOT_CONTEXT, carrier, api.defaultTextMapGetter),
    transport: http === undefined ? "pipe" : "tcp",
    dryRun,
  });
  return {
    onEvent: spans.onEvent,
    close: async () => {
      spans.end();
      // An unresponsive collector must not delay the end of the guard.
      await Promise.race([provider.shutdown().catch(core.globalErrorHandler), sleep(GRACE, undefined, { ref: false })]);
    },
  };
}

function exporterOf({
  OTEL_EXPORTER_OTLP_PROTOCOL: general,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: ofTraces,
}: Context["env"]) {
  const protocol = ofTraces || general || "http/protobuf";
  if (protocol === "http/protobuf" || protocol === "http/json") return { load: EXPORTERS[protocol], protocol };
  throw new CliError("usage", `spans cannot be sent over ${JSON.stringify(protocol)}`, {
    where: "OTEL_EXPORTER_OTLP_PROTOCOL",
    expected: Object.keys(EXPORTERS).join(" or "),
  });
}
