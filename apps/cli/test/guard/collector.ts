import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished, vi } from "vitest";

/** The ids of a trace and of a client's span, and the metadata with which a request carries them. */
export const TRACE = "0af7651916cd43dd8448eb211c80319c";
export const PARENT = "b7ad6b7169203331";
export const TRACED = { traceparent: `00-${TRACE}-${PARENT}-01` };

/** A request that a collector received. */
export interface Received {
  readonly path: string | undefined;
  readonly type: string | undefined;
  readonly body: Buffer;
}

/** Starts a collector, to which guards started from now on send their spans. */
export async function collector(protocol: "http/json" | "http/protobuf"): Promise<Received[]> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const type = request.headers["content-type"];
    received.push({ path: request.url, type, body });
    response.writeHead(200, { "content-type": type }).end(protocol === "http/json" ? "{}" : "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  onTestFinished(() => void vi.unstubAllEnvs());
  const { port } = server.address() as AddressInfo;
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", `http://127.0.0.1:${port}`);
  vi.stubEnv("OTEL_EXPORTER_OTLP_PROTOCOL", protocol);
  return received;
}
