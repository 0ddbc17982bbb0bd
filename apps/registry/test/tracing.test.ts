import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { EMPTY } from "@agentprint/testing/manifest/scoped-manifests";
import { expect, test } from "vitest";
import { openRegistry } from "./support/registry.ts";

test("with a collector, each request is traced, and continues a client's trace", async () => {
  const received: { url: string | undefined; body: string }[] = [];
  const collector = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push({ url: request.url, body });
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const { port } = collector.address() as AddressInfo;
  const registry = await openRegistry({ otel_endpoint: `http://127.0.0.1:${port}` });
  await registry.create("demo", EMPTY);
  const trace = "0af7651916cd43dd8448eb211c80319c";
  await registry.get("/agents/demo", { traceparent: `00-${trace}-b7ad6b7169203331-01` });
  await registry.close();
  collector.close();
  expect(received.map(({ url }) => url)).toEqual(["/v1/traces"]);
  // biome-ignore lint/suspicious/noExplicitAny: OTLP in JSON
  const spans = JSON.parse(received[0]?.body ?? "").resourceSpans[0].scopeSpans[0].spans as any[];
  expect(spans).toHaveLength(2);
  expect(spans[1].traceId).toBe(trace);
  expect(received[0]?.body).not.toContain(registry.token);
});
