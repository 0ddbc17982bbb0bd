import { createRequire } from "node:module";

type OpenTelemetry = typeof import("@opentelemetry/api");

/** The API, if it is installed; all its copies in a process share their state. */
const api: OpenTelemetry | undefined = loadOptional(() => createRequire(import.meta.url)("@opentelemetry/api"));

/** Returns the value of `load`, or `undefined` if it throws. */
export function loadOptional<T>(load: () => T): T | undefined {
  try {
    return load();
  } catch {
    return undefined;
  }
}

/** Returns the `traceparent` of the active OpenTelemetry span, if there is one. */
export function traceParent(): string | undefined {
  const context = api?.trace.getActiveSpan()?.spanContext();
  if (context === undefined || !api?.isSpanContextValid(context)) return undefined;
  return `00-${context.traceId}-${context.spanId}-${(context.traceFlags & 0xff).toString(16).padStart(2, "0")}`;
}
