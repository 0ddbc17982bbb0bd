import type { Tracing } from "./http/services.ts";

/**
 * Traces requests with OpenTelemetry, and sends the traces to the collector at `endpoint` by OTLP over HTTP. The
 * libraries are loaded only here, so a registry without a collector starts without them.
 */
export async function startTracing(endpoint: string): Promise<Tracing> {
  const [{ context, propagation }, { AsyncLocalStorageContextManager }, { W3CTraceContextPropagator }] =
    await Promise.all([
      import("@opentelemetry/api"),
      import("@opentelemetry/context-async-hooks"),
      import("@opentelemetry/core"),
    ]);
  const [{ BatchSpanProcessor, TracerProvider }, { OTLPTraceExporter }, { httpInstrumentationMiddleware }] =
    await Promise.all([
      import("@opentelemetry/sdk-trace"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@hono/otel"),
    ]);
  // With these two settings, a trace that a client began continues here.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const url = new URL("v1/traces", endpoint.endsWith("/") ? endpoint : `${endpoint}/`).href;
  const tracerProvider = new TracerProvider({
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  });
  return {
    middleware: httpInstrumentationMiddleware({ tracerProvider, serviceName: "agentprint-registry" }),
    end: () => tracerProvider.shutdown(),
  };
}
