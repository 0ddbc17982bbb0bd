import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EMPTY } from "@agentprint/testing/manifest/scoped-manifests";
import { backupDatabase } from "../../../apps/registry/src/backup/backup.ts";
import { openRegistry, type TestRegistry } from "../../../apps/registry/test/support/registry.ts";
import { type ClientMemory, createRegistryClient, type RegistryClient } from "../src/index.ts";

export const voice = { ...EMPTY, capability_flags: { supports_voice: true } };
/** A second version. */
export const next = { ...EMPTY, agent_version: "2.0.0" };

// biome-ignore lint/suspicious/noExplicitAny: a hostile server answers any JSON
export type Lie = (body: any, path: string) => unknown;

/** A real HTTP server in front of a registry; it changes the registry's answers. */
export class HostileServer {
  readonly #opened: TestRegistry[] = [];
  readonly #folder = mkdtempSync(join(tmpdir(), "registry-forks-"));
  readonly #server = createServer((request, response) => void this.#forward(request, response));
  #count = 0;
  url = "";
  /** The registry at the address. */
  registry!: TestRegistry;
  /** its own agent for each test, with one version. */
  agent = "";
  lie: Lie = (body) => body;
  /** Replaces the events that the registry sends. */
  events = "";

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    await (await this.replace()).create("other", voice);
  }

  /** Starts a test with the first registry, a new agent and unchanged answers. */
  async begin(): Promise<void> {
    this.registry = this.#opened[0] as TestRegistry;
    this.lie = (body) => body;
    this.events = "";
    this.agent = `agent-${this.#count++}`;
    await this.registry.create(this.agent, EMPTY);
  }

  /** Replaces the registry at the address with an empty one. */
  async replace(settings: Readonly<Record<string, string>> = {}): Promise<TestRegistry> {
    this.registry = await openRegistry(settings);
    this.#opened.push(this.registry);
    return this.registry;
  }

  /** Replaces the registry at the address with one that continues a copy of its data with the same key. */
  async fork(): Promise<TestRegistry> {
    const { config } = this.registry.services;
    const copy = join(this.#folder, `${this.agent}.db`);
    const signer_key_file = config.signer_key_file ?? `${config.database.replace("file:", "")}.signer-key`;
    await backupDatabase(config, copy);
    return this.replace({ database: `file:${copy}`, signer_key_file });
  }

  client(memory?: ClientMemory, acceptRollback = false): RegistryClient {
    const { url, registry } = this;
    return createRegistryClient({ url, token: registry.token, retries: 0, acceptRollback, ...(memory && { memory }) });
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const one of this.#opened) await one.close();
    rmSync(this.#folder, { recursive: true });
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url: path = "" } = request;
    let sent = "";
    for await (const chunk of request) sent += chunk;
    if (path.startsWith("/events")) {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(this.events);
      return;
    }
    const headers = request.headers as Record<string, string>;
    const answer = await this.registry.app.request(path, { method, headers, ...(sent !== "" && { body: sent }) });
    const text = await answer.text();
    const type = answer.headers.get("content-type") ?? "";
    const isJson = /^application\/(problem\+)?json/.test(type);
    const body = isJson ? JSON.stringify(await this.lie(JSON.parse(text), `${method} ${path}`)) : text;
    response.writeHead(answer.status, { "content-type": type }).end(body);
  }
}

/** Returns a memory without a file. */
export function inMemory(text?: string): ClientMemory & { readonly text: () => string } {
  let kept = text;
  return {
    read: async () => kept,
    write: async (after) => {
      kept = after;
    },
    text: () => kept ?? "",
  };
}
