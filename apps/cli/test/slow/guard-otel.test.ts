import { expect, test, vi } from "vitest";
import { collector, PARENT, type Received, TRACE, TRACED } from "../guard/collector.ts";
import { pinned } from "../guard/fault-world.ts";
import { callOf, Guarded, INITIALIZE } from "../guard/guarded.ts";
import { listening } from "../guard/support.ts";

test("over HTTP, spans name their session, and are sent as protobuf", async () => {
  const received = await collector("http/protobuf");
  const space = await pinned();
  let session = "";
  {
    await using guard = await listening(space, ["faults", "--otel"]);
    const post = (message: object, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(guard.url, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
        body: JSON.stringify(message),
      });
    session = (await post(INITIALIZE)).headers.get("mcp-session-id") ?? "none";
    await (await post(callOf(1, "echo", { text: "x" }, TRACED), { "mcp-session-id": session })).text();
  }
  expect(received).toMatchObject([{ path: "/v1/traces", type: "application/x-protobuf" }]);
  const [{ body }] = received as [Received];
  for (const text of [Buffer.from(TRACE, "hex"), Buffer.from(PARENT, "hex"), session, "mcp.session.id", "tcp"])
    expect(body.includes(text), String(text)).toBe(true);
});

test("a collector that does not answer is reported, and delays no call", async () => {
  await collector("http/json");
  const space = await pinned();
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1");
  vi.stubEnv("OTEL_EXPORTER_OTLP_TIMEOUT", "500");
  await using guarded = await Guarded.start(space, "faults", "--otel");
  guarded.send(INITIALIZE, callOf(1, "echo", { text: "x" }));
  for (let answers = 0; answers < 2; answers++) await guarded.line();
  guarded.child.stdin?.end();
  expect(await guarded.end()).toEqual([0, null]);
  expect(guarded.stderr).toContain("spans cannot be sent");
});
