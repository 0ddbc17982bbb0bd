import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CapabilityManifest } from "@agentprint/manifest";
import { withScopes } from "@agentprint/testing/manifest/scoped-manifests";
import { startProcess } from "@agentprint/testing/registry-process";
import { killServices, type ServiceProcess } from "@agentprint/testing/service-process";
import { costOfUnread } from "@agentprint/testing/unread-clients";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openRegistry } from "../support/registry.ts";
import { seed } from "../support/seed.ts";

const MAX_MB = 256;
const MAX_HEALTH_SECONDS = 1;
const QUERIES: Readonly<Record<string, string>> = {
  "/agents/:agent_id/diff": "?from=1&to=2",
  "/agents/:agent_id/consent": "?accepted=1",
  "/pages/agents/:agent_id/diff": "?from=1&to=2",
  "/pages/agents/:agent_id/consent": "?accepted=1",
  "/events": "?agent=large",
};

let folder = "";
let registry: ServiceProcess;
let token = "";

/** Manifests of about 110 KB that differ in every tool. */
const LARGE = [0, 1].map((kind): CapabilityManifest => {
  const scopes = Object.fromEntries(Array.from({ length: 420 }, (_, nth) => [`big:${nth}`, "low" as const]));
  return withScopes(scopes, { [`p${kind}`]: { type: "string" } });
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "registry-unread-"));
  const database = `file:${join(folder, "registry.db")}`;
  token = await seed(database, "demo", 200);
});
afterEach(killServices);
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts a registry in which the agent `large` has versions of about 110 KB. */
async function start(): Promise<void> {
  registry = await startProcess({ database: `file:${join(folder, "registry.db")}`, checkpoint_interval_seconds: "1" });
  const send = (method: string, path: string, body: unknown): Promise<Response> =>
    fetch(registry.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  await send("POST", "/agents", { agent_id: "large", manifest: LARGE[0] });
  for (let nth = 1; nth < 6; nth++) await send("PATCH", "/agents/large", LARGE[nth % 2]);
}

/** All the paths that the registry's app has. */
async function pathsOfApp(): Promise<string[]> {
  const opened = await openRegistry();
  const paths = opened.app.routes.map(({ path }) => path);
  await opened.close();
  return [...new Set(paths)].filter((path) => path !== "/*").concat("/nothing");
}

test("1,000 requests that nobody reads from each of 50 addresses cost little on every route and method", async () => {
  const paths = await pathsOfApp();
  expect(paths.length).toBeGreaterThan(15);
  await start();
  const costs: Record<string, { mb: number; healthSeconds: number }> = {};
  for (const path of paths) {
    for (const method of ["GET", "HEAD", "POST", "PATCH", "OPTIONS"]) {
      const isChange = method === "POST" || method === "PATCH";
      const target = path.replace(":agent_id", "large").replace(":version", "2") + (QUERIES[path] ?? "");
      const body = isChange ? JSON.stringify({ agent_id: "large", manifest: LARGE[0] }).slice(0, 2000) : "";
      const head = isChange
        ? `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`
        : "";
      const text = `${method} ${target} HTTP/1.1\r\nHost: registry\r\n${head}\r\n${body}`;
      const cost = await costOfUnread({ url: registry.url, pid: Number(registry.child.pid) }, () => text);
      costs[`${method} ${path}`] = cost;
    }
  }
  const tooMuch = Object.entries(costs).filter(
    ([, { mb, healthSeconds }]) => mb > MAX_MB || healthSeconds > MAX_HEALTH_SECONDS,
  );
  expect(tooMuch).toEqual([]);
});
