import { canonicalizeManifest, hashManifest } from "@agentprint/manifest";
import { EMPTY, withScopes } from "@agentprint/testing/manifest/scoped-manifests";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRegistry, type TestRegistry } from "./support/registry.ts";

let registry: TestRegistry;
const other = withScopes({ "files:read": "medium" });
beforeAll(async () => {
  registry = await openRegistry();
  await registry.create("demo", EMPTY);
  await registry.publish("demo", other);
  await registry.publish("demo", EMPTY);
});
afterAll(() => registry.close());

describe("an ETag", () => {
  test.each([
    ["/agents/demo", `"3-${hashManifest(EMPTY)}"`],
    ["/agents/demo/manifest", `"${hashManifest(EMPTY)}"`],
    ["/agents/demo/versions/1", `"1-${hashManifest(EMPTY)}"`],
  ])("of %s is answered with 304 for a client that has it", async (path, tag) => {
    expect((await registry.get(path)).headers.get("etag")).toBe(tag);
    for (const value of [tag, `W/${tag}`, `"x", ${tag}`, "*"]) {
      const answer = await registry.get(path, { "if-none-match": value });
      expect([value, answer.status, answer.text, answer.headers.get("etag")]).toEqual([value, 304, "", tag]);
    }
    expect((await registry.get(path, { "if-none-match": tag.replace(/.$/, "") })).status).toBe(200);
  });

  test("differs between two versions with one hash, and their manifest's does not", async () => {
    const [first, third] = await Promise.all([1, 3].map((n) => registry.get(`/agents/demo/versions/${n}`)));
    expect(first?.body.capability_manifest_hash).toBe(third?.body.capability_manifest_hash);
    expect(first?.headers.get("etag")).not.toBe(third?.headers.get("etag"));
  });
});

test("a manifest is read as the canonical JSON that was hashed", async () => {
  const { text, headers } = await registry.get("/agents/demo/manifest");
  expect(text).toBe(canonicalizeManifest(EMPTY));
  expect(headers.get("content-type")).toBe("application/json");
});

test("a version is read with its manifest, its changes and who published it", async () => {
  expect((await registry.get("/agents/demo/versions/3")).body).toMatchObject({
    capability_manifest_version: 3,
    breaking_changes: [{ kind: "tool_removed" }, { kind: "permission_scope_removed" }],
    weakens_consent: false,
    key_id: registry.token.split("_")[1],
    manifest: EMPTY,
  });
});

test("versions and agents are listed page by page", async () => {
  const first = (await registry.get("/agents/demo/versions?limit=2")).body;
  expect([
    first.versions.map((row: { capability_manifest_version: number }) => row.capability_manifest_version),
    first.next,
  ]).toEqual([[1, 2], 2]);
  const second = (await registry.get("/agents/demo/versions?limit=2&after=2")).body;
  expect([second.versions.length, second.next]).toEqual([1, null]);
  for (const id of ["a", "b", "Z"]) await registry.create(id, EMPTY);
  const ids: string[] = [];
  for (let next: string | null = ""; next !== null; ) {
    const page: { agents: { agent_id: string }[]; next: string | null } = (
      await registry.get(`/agents?limit=2${next === "" ? "" : `&after=${next}`}`)
    ).body;
    ids.push(...page.agents.map(({ agent_id }) => agent_id));
    next = page.next;
  }
  expect(ids).toEqual(["Z", "a", "b", "demo"]);
});

test("two versions are compared in either direction", async () => {
  const forward = (await registry.get("/agents/demo/diff?from=1&to=2")).body;
  expect(forward).toMatchObject({ from: 1, to: 2, breaking_changes: [], weakens_consent: false });
  expect(forward.non_breaking_changes.map(({ kind }: { kind: string }) => kind)).toEqual([
    "tool_added",
    "permission_scope_added",
  ]);
  const backward = (await registry.get("/agents/demo/diff?from=2&to=1")).body;
  expect(backward.breaking_changes).toHaveLength(2);
  const same = (await registry.get("/agents/demo/diff?from=1&to=3")).body;
  expect([same.breaking_changes, same.non_breaking_changes, same.unclassified_changes]).toEqual([[], [], []]);
});

test("HEAD answers as GET without a body", async () => {
  const answer = await registry.request("HEAD", "/agents/demo");
  expect([answer.status, answer.text, answer.headers.get("etag")]).toEqual([200, "", `"3-${hashManifest(EMPTY)}"`]);
});

test("readiness ends when the registry shuts down, and health does not", async () => {
  const ending = await openRegistry();
  expect((await ending.get("/readyz")).status).toBe(200);
  ending.end();
  expect((await ending.get("/readyz")).body).toMatchObject({ status: 503, code: "UNAVAILABLE" });
  expect((await ending.get("/healthz")).status).toBe(200);
  await ending.close();
});

test("metrics count versions and requests by route, not by agent", async () => {
  const { text } = await registry.get("/metrics");
  expect(text).toMatch(/agentprint_registry_versions_total\{breaking="true"\} 1/);
  expect(text).toMatch(
    /agentprint_registry_request_seconds_count\{method="PATCH",route="\/agents\/\{agent_id\}",status="200"\} 2/,
  );
  expect(text).not.toContain("demo");
});

test("pages are bounded in bytes, and link to the next one", async () => {
  const scopes = Array.from({ length: 300 }, (_, index) => [`scope:${index}`, "low"] as const);
  await registry.create("long", EMPTY);
  for (let count = 0; count < 12; count++) {
    await registry.publish("long", count % 2 === 0 ? withScopes(Object.fromEntries(scopes)) : EMPTY);
  }
  const seen: number[] = [];
  let pages = 0;
  for (let path: string | undefined = "/agents/long/versions?limit=50"; path !== undefined; pages++) {
    const { text, body, headers } = await registry.get(path);
    expect(text.length < 256 * 1024 || body.versions.length === 1).toBe(true);
    for (const one of body.versions) seen.push(one.capability_manifest_version);
    path = /^<(\/agents\/long\/versions\?limit=50&after=\d+)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1];
    expect(body.next === null).toBe(path === undefined);
  }
  expect(seen).toEqual(Array.from({ length: 13 }, (_, index) => index + 1));
  expect(pages).toBeGreaterThan(1);
  expect((await registry.get("/agents?limit=1")).headers.get("link")).toMatch(
    /^<\/agents\?limit=1&after=\w+>; rel="next"$/,
  );
});
