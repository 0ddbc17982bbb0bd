import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CapabilityManifest } from "@agentprint/manifest";
import { pino } from "pino";
import { loadConfig } from "../../src/config/config.ts";
import { createApp } from "../../src/http/app.ts";
import type { Services } from "../../src/http/services.ts";
import { EVERY_AGENT, issueKey } from "../../src/keys/keys.ts";
import { closeServices, openServices } from "../../src/serve.ts";
import type { RoundReport } from "../../src/trail/trail-thread.ts";

/** An answer, read whole. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any JSON
  readonly body: any;
}

/** A registry in this process, with a real database in its own folder. */
export interface TestRegistry {
  readonly services: Services;
  readonly app: ReturnType<typeof createApp>;
  /** The token of a key for every agent. */
  readonly token: string;
  readonly request: (method: string, path: string, init?: RequestOptions) => Promise<Answer>;
  readonly create: (agentId: string, manifest: CapabilityManifest) => Promise<Answer>;
  readonly publish: (agentId: string, manifest: unknown, init?: RequestOptions) => Promise<Answer>;
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  /** Signs the chain of every agent that has versions after its newest checkpoint. */
  readonly sign: () => Promise<RoundReport>;
  /** Notifies the registry that the process is ending. */
  readonly end: () => void;
  readonly close: () => Promise<void>;
}

interface RequestOptions {
  readonly token?: string | null;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
  readonly query?: string;
}

/** Opens a registry; `settings` are environment variables without their prefix. */
export async function openRegistry(settings: Readonly<Record<string, string>> = {}): Promise<TestRegistry> {
  const folder = mkdtempSync(join(tmpdir(), "registry-"));
  const env = {
    database: `file:${join(folder, "registry.db")}`,
    address_limit: "100000",
    key_limit: "100000",
    ...settings,
  };
  const config = loadConfig(
    Object.fromEntries(
      Object.entries(env).map(([name, value]) => [`AGENTPRINT_REGISTRY_${name.toUpperCase()}`, value]),
    ),
  );
  const ending = new AbortController();
  const services = await openServices(config, pino({ level: "silent" }), ending.signal);
  const app = createApp(services);
  const { token } = await issueKey(services.store, EVERY_AGENT, new Date());
  const request: TestRegistry["request"] = async (method, path, init = {}) => {
    const authorization = init.token === null ? {} : { authorization: `Bearer ${init.token ?? token}` };
    const headers = {
      ...(init.body !== undefined && { "content-type": "application/json" }),
      ...authorization,
      ...init.headers,
    };
    const body = init.body === undefined ? {} : { body: Buffer.from(init.body) };
    const response = await app.request(path + (init.query ?? ""), { method, headers, ...body });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get("content-type") ?? "") && text !== "";
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
  };
  return {
    services,
    app,
    token,
    request,
    create: (agent_id, manifest) => request("POST", "/agents", { body: JSON.stringify({ agent_id, manifest }) }),
    publish: (agentId, manifest, init = {}) =>
      request("PATCH", `/agents/${agentId}`, { body: JSON.stringify(manifest), ...init }),
    get: (path, headers = {}) => request("GET", path, { token: null, headers }),
    sign: () => services.thread.sign([]),
    end: () => ending.abort(),
    close: async () => {
      ending.abort();
      await closeServices(services);
      rmSync(folder, { recursive: true });
    },
  };
}
