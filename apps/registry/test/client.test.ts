import { createRegistryClient } from "@agentprint/registry-api";
import { EMPTY, withScopes } from "@agentprint/testing/manifest/scoped-manifests";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRegistry, type TestRegistry } from "./support/registry.ts";

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema: object }>> }>>;
}

let registry: TestRegistry;
// biome-ignore lint/suspicious/noExplicitAny: the document is any JSON
let document: any;
beforeAll(async () => {
  registry = await openRegistry();
  document = (await registry.get("/openapi.json")).body;
});
afterAll(() => registry.close());

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const isValid = (schema: object, value: unknown): boolean =>
  ajv.validate({ ...schema, components: document.components }, value);

/** Returns the document's operation for a request, whose query and headers must be declared there. */
function operationOf(method: string, url: URL, headers: Headers): Operation {
  for (const [path, item] of Object.entries<Record<string, Operation>>(document.paths)) {
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    const operation = item[method.toLowerCase()];
    if (!operation || !pattern.test(url.pathname)) continue;
    const declared = new Map(operation.parameters?.map((parameter) => [parameter.name.toLowerCase(), parameter]));
    for (const [name, value] of url.searchParams)
      expect(isValid(declared.get(name)?.schema ?? { not: {} }, value)).toBe(true);
    for (const name of headers.keys()) {
      if (!["accept", "authorization", "content-type"].includes(name)) expect([...declared.keys()]).toContain(name);
    }
    return operation;
  }
  throw new Error(`${method} ${url.pathname} is not in the document`);
}

test("the client sends and accepts the messages of the OpenAPI document, for every route that a client needs", async () => {
  const called = new Set<string>();
  const ending = new AbortController();
  const client = createRegistryClient({
    url: "http://127.0.0.1:8787",
    token: registry.token,
    signal: ending.signal,
    fetch: async (url, init) => {
      const operation = operationOf(String(init.method), new URL(url), new Headers(init.headers));
      called.add(operation.operationId);
      const response = await registry.app.request(url, init);
      const type = (response.headers.get("content-type") ?? "").split(";")[0] ?? "";
      const schema = operation.responses[response.status]?.content?.[type]?.schema;
      expect([operation.operationId, response.status, type, schema !== undefined]).toEqual([
        operation.operationId,
        response.status,
        type,
        true,
      ]);
      if (/json/.test(type)) expect(isValid(schema ?? {}, await response.clone().json())).toBe(true);
      return response;
    },
  });
  await client.publish("demo", withScopes({ "a:b": "high" }, { x: { type: "integer" } }), { create: true });
  await client.publish("demo", withScopes({ "a:b": "low" }, { x: { type: "string" } }), { review: () => true });
  await registry.sign();
  for await (const { agent_id } of client.listAgents()) expect(agent_id).toBe("demo");
  for await (const { key_id } of client.listVersions("demo")) expect(key_id).toMatch(/^[0-9a-f]{16}$/);
  for await (const { proof } of client.history("demo")) expect(proof?.size).toBe(2);
  await client.readManifest("demo", 1);
  await client.diff("demo", 1, 2);
  await client.consent("demo", 1);
  await client.checkpoint("demo");
  await expect(client.publish("other", EMPTY)).rejects.toMatchObject({ problem: { code: "AGENT_NOT_FOUND" } });
  for await (const { event } of client.hear(["demo"])) if (event === "start") ending.abort();
  const pathsOfClients = Object.entries<Record<string, Operation>>(document.paths)
    .filter(([path]) => /^\/(?:agents|events)/.test(path))
    .flatMap(([, item]) => Object.values(item).map(({ operationId }) => operationId));
  // The client reads a manifest together with its version.
  expect([...called].sort()).toEqual(pathsOfClients.filter((id) => id !== "readManifest").sort());
});
