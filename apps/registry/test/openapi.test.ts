import { createHash } from "node:crypto";
import { EMPTY, ofSize, withScopes } from "@agentprint/testing/manifest/scoped-manifests";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRegistry, type TestRegistry } from "./support/registry.ts";

let registry: TestRegistry;
// biome-ignore lint/suspicious/noExplicitAny: the document is any JSON
let document: any;
beforeAll(async () => {
  registry = await openRegistry();
  document = (await registry.get("/openapi.json")).body;
  await registry.create("demo", withScopes({ "a:b": "high" }, { x: { type: "integer" } }));
  await registry.publish("demo", withScopes({ "a:b": "low", "c:d": "medium" }));
  await registry.publish("demo", ofSize(65_536));
  await registry.sign();
});
afterAll(() => registry.close());

/** Returns how an answer differs from the document; empty if it does not. */
function mismatch(method: string, path: string, answer: Awaited<ReturnType<TestRegistry["get"]>>): unknown {
  const declared = document.paths[path]?.[method]?.responses[answer.status];
  if (!declared) return `${answer.status} is not declared`;
  const type = (answer.headers.get("content-type") ?? "").split(";")[0] as string;
  const schema = declared.content?.[type]?.schema;
  if (!schema) return answer.text === "" ? [] : `${type} is not declared`;
  if (answer.body === undefined) return [];
  const ajv = new Ajv2020({ strict: false, formats: { "date-time": true } });
  const validate = ajv.compile({ ...schema, components: document.components });
  validate(answer.body);
  return validate.errors ?? [];
}

describe("the OpenAPI document", () => {
  test("is a valid OpenAPI 3.1 document", async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toMatchObject({ valid: true });
    expect(validator.version).toBe("3.1");
  });

  test("describes the manifest as its package does", () => {
    expect(document.components.schemas.CapabilityManifest).toMatchObject({
      title: "Capability Manifest",
      required: ["schema_version", "agent_version", "tools", "permission_scopes", "capability_flags"],
    });
  });

  test.each<[string, string, string]>([
    ["get", "/agents", "/agents?limit=1"],
    ["get", "/agents", "/agents?limit=0"],
    ["get", "/agents/{agent_id}", "/agents/demo"],
    ["get", "/agents/{agent_id}", "/agents/nobody"],
    ["get", "/agents/{agent_id}/manifest", "/agents/demo/manifest"],
    ["get", "/agents/{agent_id}/versions", "/agents/demo/versions?limit=2"],
    ["get", "/agents/{agent_id}/versions/{version}", "/agents/demo/versions/2"],
    ["get", "/agents/{agent_id}/versions/{version}", "/agents/demo/versions/9"],
    ["get", "/agents/{agent_id}/diff", "/agents/demo/diff?from=1&to=2"],
    ["get", "/agents/{agent_id}/diff", "/agents/demo/diff?from=1"],
    ["get", "/agents/{agent_id}/consent", "/agents/demo/consent?accepted=1"],
    ["get", "/agents/{agent_id}/history", "/agents/demo/history?limit=2"],
    ["get", "/agents/{agent_id}/checkpoint", "/agents/demo/checkpoint"],
    ["get", "/healthz", "/healthz"],
    ["get", "/readyz", "/readyz"],
    ["get", "/metrics", "/metrics"],
    ["get", "/openapi.json", "/openapi.json"],
    ["get", "/docs", "/docs"],
  ])("describes the answer of %s %s to %s", async (method, path, target) => {
    expect(mismatch(method, path, await registry.get(target))).toEqual([]);
  });

  test("describes the answers to a change, also to a refused one", async () => {
    const path = "/agents/{agent_id}";
    for (const [manifest, init] of [
      [EMPTY, {}],
      [withScopes({ "a:b": "high" }), { query: "?dry_run=true" }],
      [EMPTY, { token: null }],
      [EMPTY, { headers: { "if-match": '"1-x"' } }],
      [EMPTY, { headers: { "content-type": "text/plain" } }],
      [{ ...EMPTY, tools: 1 }, {}],
      [0, { body: "{" }],
      [ofSize(131_073), {}],
    ] as const) {
      expect(mismatch("patch", path, await registry.publish("demo", manifest, init))).toEqual([]);
    }
    expect(mismatch("post", "/agents", await registry.create("demo", EMPTY))).toEqual([]);
    expect(mismatch("post", "/agents", await registry.create("other", EMPTY))).toEqual([]);
  });
});

test("the documentation page shows every route, runs nothing and fetches nothing", async () => {
  const { text, headers } = await registry.get("/docs");
  for (const path of Object.keys(document.paths)) expect(text).toContain(path);
  expect(text).not.toMatch(/<script|<link|<img|<iframe|\son\w+=|style="|https?:\/\/(?!json-schema\.org)/);
  const style = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  expect(headers.get("content-security-policy")).toContain(`default-src 'none'; style-src 'sha256-${hash}'`);
});
