import type { EventDigests, GuardEvent } from "@agentprint/guard";
import type { Attributes, Context, Span, Tracer } from "@opentelemetry/api";

/** The constants of `@opentelemetry/api`, which is loaded only if spans are sent. */
const [KIND_SERVER, KIND_CLIENT, STATUS_ERROR] = [1, 2, 2];

/** The maximum number of open spans; beyond it, the oldest one ends. */
const MAX_OPEN = 10_000;
/** The maximum length of a status message, in characters. */
const MAX_REASON = 1024;

/** The inputs of a span in addition to its event. */
interface SpanSetting {
  /** The context of the trace that a client began. */
  readonly parentOf: (carrier: Readonly<Record<string, string>>) => Context;
  readonly transport: "pipe" | "tcp";
  /** Whether refused messages are still forwarded. */
  readonly dryRun: boolean;
}

/** The span of an unanswered request, and the findings so far. */
interface OpenSpan {
  readonly span: Span;
  readonly findings: string[];
}

/**
 * Creates spans from events, by OpenTelemetry's semantic conventions for MCP and for model tools: one for each request
 * of a client, from its arrival to its answer, and one for each request of a server and each listing by the guard
 * itself.
 */
export class RequestSpans {
  readonly #tracer: Tracer;
  readonly #setting: SpanSetting;
  /** The open spans, by the correlation of their events. */
  readonly #open = new Map<string, OpenSpan>();

  constructor(tracer: Tracer, setting: SpanSetting) {
    this.#tracer = tracer;
    this.#setting = setting;
  }

  readonly onEvent = (event: GuardEvent): void => {
    const { kind, correlation, outcome } = event;
    const known = this.#open.get(correlation);
    if (known === undefined && !begins(event)) return;
    const open = known ?? { span: this.#begin(event), findings: [] };
    if (kind === "asked") open.span.addEvent("agentprint.asked", { "agentprint.outcome": outcome }, event.time);
    else describe(open, event, this.#setting.dryRun);
    if (this.#ends(event)) {
      this.#open.delete(correlation);
      open.span.end(event.time);
    } else if (known === undefined) this.#keep(correlation, open);
  };

  /** Ends the spans of requests that were not answered. */
  end(): void {
    for (const open of this.#open.values()) unanswered(open);
    this.#open.clear();
  }

  #keep(correlation: string, open: OpenSpan): void {
    this.#open.set(correlation, open);
    const [oldest] = this.#open;
    if (this.#open.size <= MAX_OPEN || oldest === undefined) return;
    this.#open.delete(oldest[0]);
    unanswered(oldest[1]);
  }

  #ends({ kind, outcome, request }: GuardEvent): boolean {
    if (kind === "asked") return false;
    if (kind === "passed") return request === undefined;
    return kind !== "call" || (outcome === "refused" && !this.#setting.dryRun);
  }

  #begin(event: GuardEvent): Span {
    const { kind, from, method, tool, server, request, digests, time, correlation } = event;
    const target = request?.target;
    const { id, session, protocolVersion } = request ?? {};
    const attributes: Attributes = {
      "mcp.method.name": method || undefined,
      "mcp.protocol.version": protocolVersion,
      "mcp.session.id": session,
      "jsonrpc.request.id": id === undefined ? undefined : String(id),
      "network.transport": this.#setting.transport,
      "gen_ai.operation.name": method === "tools/call" ? "execute_tool" : undefined,
      "gen_ai.tool.name": tool ?? (method === "tools/call" ? target : undefined),
      "gen_ai.prompt.name": method === "prompts/get" ? target : undefined,
      "mcp.resource.uri": method?.startsWith("resources/") ? target : undefined,
      "agentprint.server": server,
      "agentprint.call": correlation,
    };
    // A span name contains a tool only if the lock has it, because a client can send any other text.
    const name = [method || `agentprint ${kind}`, ...(tool !== undefined && digests.tool ? [tool] : [])].join(" ");
    // Requests of the server and of the guard itself get client spans.
    const isOwn = request === undefined && from === "server" && kind !== "refused";
    return this.#tracer.startSpan(
      name,
      { kind: isOwn ? KIND_CLIENT : KIND_SERVER, attributes, startTime: request?.since ?? time },
      this.#setting.parentOf(carrierOf(request)),
    );
  }
}

/** Returns whether an event begins a span. Messages that expect no answer begin one only if they were refused. */
function begins({ kind, outcome, request }: GuardEvent): boolean {
  if (kind === "replaced" || kind === "result") return false;
  return kind !== "passed" || request !== undefined || outcome === "refused";
}

function carrierOf(request: GuardEvent["request"]): Record<string, string> {
  const found = ["traceparent", "tracestate"].map((name): [string, string | undefined] => [name, request?.meta(name)]);
  return Object.fromEntries(found.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

const DIGESTS: readonly (keyof EventDigests)[] = ["arguments", "result", "tool", "lock"];

/** Writes the decision and the failure of an event into a span. */
function describe({ span, findings: all }: OpenSpan, event: GuardEvent, dryRun: boolean): void {
  const { kind, outcome, decision, findings, reason, failure, digests } = event;
  const isRefused = outcome === "refused";
  all.push(...findings);
  const [rule = kind === "fault" ? (reason ?? "fault") : "refused"] = findings;
  const found = DIGESTS.map((of): [string, string | undefined] => [`agentprint.digest.${of}`, digests[of]]);
  span.setAttributes({
    ...Object.fromEntries(found.filter(([, digest]) => digest !== undefined)),
    // A result that passes leaves the decision about its call in place.
    ...((kind !== "result" || isRefused) && { "agentprint.outcome": outcome, "agentprint.decision": decision }),
    ...(findings.length > 0 && { "agentprint.findings": [...new Set(all)] }),
    ...(reason !== undefined && { "agentprint.reason": reason }),
    ...(dryRun && { "agentprint.dry_run": true }),
    ...(typeof failure === "number" && { "rpc.response.status_code": String(failure) }),
  });
  if (failure === undefined && kind !== "fault" && (!isRefused || dryRun)) return;
  const message = (isRefused ? reason : undefined)?.slice(0, MAX_REASON);
  span.setAttribute("error.type", isRefused || kind === "fault" ? rule : String(failure));
  span.setStatus({ code: STATUS_ERROR, ...(message !== undefined && { message }) });
}

function unanswered({ span }: OpenSpan): void {
  span.setAttribute("error.type", "unanswered");
  span.setStatus({ code: STATUS_ERROR });
  span.end();
}
