import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { startProcess } from "@agentprint/testing/registry-process";
import { killServices } from "@agentprint/testing/service-process";
import { afterEach, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "registry-headers-"));
const MS_BETWEEN_BYTES = 200;

afterEach(() => {
  killServices();
  rmSync(folder, { recursive: true });
});

test("a connection whose headers never end is answered with 408 and closed, while others are served", async () => {
  const registry = await startProcess({ database: `file:${join(folder, "registry.db")}` });
  const { hostname, port } = new URL(registry.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.write("GET /agents HTTP/1.1\r\nHost: registry\r\nX-Slow: ");
  const dribble = setInterval(() => socket.write("a"), MS_BETWEEN_BYTES);
  const answer = text(socket).finally(() => clearInterval(dribble));
  expect((await fetch(`${registry.url}/healthz`)).status).toBe(200);
  expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
});
