import { expect, test, vi } from "vitest";
import { collector, PARENT, type Received, TRACE, TRACED } from "./collector.ts";
import { pinned, RECORD, recordedEvents } from "./fault-world.ts";
import { callOf, GuardedHere, INITIALIZE } from "./guarded.ts";

/** Returns the spans in OTLP JSON, each with its attributes as an object. */
function spansIn(received: readonly Received[]) {
  return received
    .flatMap(({ body }) => JSON.parse(body.toString()).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
    .map((span) => ({ ...span, attributes: Object.fromEntries(span.attributes.map(attributeOf)) }));
}

// biome-ignore lint/suspicious/noExplicitAny: OTLP in JSON
function attributeOf({ key, value: { stringValue, boolValue, arrayValue } }: any): [string, unknown] {
  // biome-ignore lint/suspicious/noExplicitAny: OTLP in JSON
  return [key, stringValue ?? boolValue ?? arrayValue.values.map((each: any) => each.stringValue)];
}

test("each request is a span of the client's trace, with the decision and the digests of the record", async () => {
  const received = await collector("http/json");
  vi.stubEnv("OTEL_RESOURCE_ATTRIBUTES", "service.name=my-guard");
  const space = await pinned();
  await using guarded = new GuardedHere(space, "faults", "--otel", ...RECORD);
  guarded.send(INITIALIZE);
  await guarded.line();
  guarded.send(callOf(1, "echo", { text: "x" }, TRACED));
  const unfit = callOf(2, "echo", { text: 1 }, TRACED);
  const unknown = { jsonrpc: "2.0", id: "three", method: "unknown/method", params: { _meta: TRACED } };
  guarded.send(unfit, callOf(4, "no_such_tool"), unknown, callOf(5, "hang"));
  for (let answers = 0; answers < 4; answers++) await guarded.line();
  await guarded.end();
  // Two calls are refused.
  expect(guarded.stderr).toMatch(
    /^note: faults: refused the tool echo .*\nnote: faults: refused the tool no_such_tool .*\n$/,
  );

  expect(received.map(({ path, type }) => [path, type])).toEqual([["/v1/traces", "application/json"]]);
  const [{ resource }] = JSON.parse(received[0]?.body.toString() ?? "").resourceSpans;
  expect(resource.attributes).toContainEqual({ key: "service.name", value: { stringValue: "my-guard" } });
  const spans = spansIn(received);
  const byId = (id: string) => spans.filter(({ attributes }) => attributes["jsonrpc.request.id"] === id);
  const common = { "mcp.protocol.version": "2025-11-25", "network.transport": "pipe", "agentprint.server": "faults" };
  expect(byId("0")).toMatchObject([{ name: "initialize", kind: 2, attributes: { ...common } }]);
  const events = await recordedEvents(space);
  const [call, result] = ["call", "result"].map((kind) =>
    events.find((event) => event?.kind === kind && event.tool === "echo" && event.outcome === "passed"),
  );
  const [echoed] = byId("1");
  expect(echoed).toMatchObject({
    name: "tools/call echo",
    traceId: TRACE,
    parentSpanId: PARENT,
    kind: 2,
    status: { code: 0 },
    attributes: {
      ...common,
      "mcp.method.name": "tools/call",
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "echo",
      "agentprint.call": call.call,
      "agentprint.outcome": "passed",
      "agentprint.decision": "pass",
      "agentprint.digest.arguments": call.digests.arguments,
      "agentprint.digest.tool": call.digests.tool,
      "agentprint.digest.lock": call.digests.lock,
      "agentprint.digest.result": result.digests.result,
    },
  });
  expect(Number(echoed.endTimeUnixNano)).toBeGreaterThan(Number(echoed.startTimeUnixNano));
  expect(byId("2")).toMatchObject([
    {
      traceId: TRACE,
      status: { code: 2, message: expect.stringContaining("do not fit") },
      attributes: {
        "error.type": "guard/arguments-rejected",
        "agentprint.findings": ["guard/arguments-rejected"],
        "agentprint.decision": "block",
      },
    },
  ]);
  expect(byId("4")).toMatchObject([
    { name: "tools/call", status: { code: 2, message: "unknown tool" }, attributes: { "error.type": "refused" } },
  ]);
  expect(byId("three")).toMatchObject([
    { name: "unknown/method", attributes: { "error.type": "-32601", "rpc.response.status_code": "-32601" } },
  ]);
  // The guard itself requested the list before the first call.
  expect(spans.filter(({ name }) => name === "tools/list")).toMatchObject([{ kind: 3 }]);
  expect(byId("5")).toMatchObject([{ status: { code: 2 }, attributes: { "error.type": "unanswered" } }]);
  expect(JSON.stringify(spans)).not.toContain('"x"');
});

test("a protocol other than HTTP is refused", async () => {
  const space = await pinned();
  const refused = await space.run(["guard", "faults", "--otel"], { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("http/protobuf or http/json") });
});
