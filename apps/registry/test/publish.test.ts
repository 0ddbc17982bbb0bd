import { hashManifest, MANIFEST_MAX_BYTES } from "@agentprint/manifest";
import { EMPTY, ofSize, withScopes } from "@agentprint/testing/manifest/scoped-manifests";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRegistry, type TestRegistry } from "./support/registry.ts";

let registry: TestRegistry;
beforeAll(async () => {
  registry = await openRegistry();
});
afterAll(() => registry.close());

const voice = { ...EMPTY, capability_flags: { supports_voice: true } } as const;

describe("PATCH /agents/:id", () => {
  test("answers exactly the four members of the specification", async () => {
    await registry.create("letter", voice);
    const answer = await registry.publish("letter", EMPTY);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual([
      "agent_id",
      "capability_manifest_version",
      "capability_manifest_hash",
      "breaking_changes",
    ]);
    expect(answer.body).toMatchObject({
      agent_id: "letter",
      capability_manifest_version: 2,
      capability_manifest_hash: hashManifest(EMPTY),
      breaking_changes: [{ kind: "capability_flag_revoked", path: "/capability_flags/supports_voice" }],
    });
    expect(answer.headers.get("etag")).toBe(`"2-${hashManifest(EMPTY)}"`);
  });

  test("adds one to the version, also for an identical manifest but not for a refused one", async () => {
    await registry.create("count", EMPTY);
    const versions: number[] = [];
    for (const manifest of [EMPTY, EMPTY, { ...EMPTY, tools: 1 }, voice, "", EMPTY]) {
      versions.push((await registry.publish("count", manifest)).body.capability_manifest_version);
    }
    expect(versions).toEqual([2, 3, undefined, 4, undefined, 5]);
  });

  test("is refused with 412 where If-Match does not name the present version", async () => {
    await registry.create("match", EMPTY);
    const first = `"1-${hashManifest(EMPTY)}"`;
    const publish = async (value: string): Promise<number> =>
      (await registry.publish("match", EMPTY, { headers: { "if-match": value } })).status;
    expect(await publish(first)).toBe(200);
    expect(await publish(first)).toBe(412);
    expect(await publish(`W/"2-${hashManifest(EMPTY)}"`)).toBe(412);
    expect(await publish(first.slice(1, -1))).toBe(412);
    expect(await publish(`${first}, "2-${hashManifest(EMPTY)}"`)).toBe(200);
    expect(await publish("*")).toBe(200);
    const refused = await registry.publish("match", EMPTY, { headers: { "if-match": first } });
    expect(refused.body).toMatchObject({ code: "PRECONDITION_FAILED", status: 412 });
    expect(refused.headers.get("etag")).toBe(`"4-${hashManifest(EMPTY)}"`);
  });

  test("with dry_run shows verdicts, counterexamples, weakened consent and warnings, and changes nothing", async () => {
    await registry.create("dry", withScopes({ "files:read": "high" }, { limit: { type: "integer", maximum: 9 } }));
    const next = withScopes({ "files:read": "low" }, { limit: { type: "integer", maximum: 5 } });
    const preview = await registry.publish("dry", next, { query: "?dry_run=true" });
    expect(preview.status).toBe(200);
    expect(preview.body).toMatchObject({
      agent_id: "dry",
      capability_manifest_version: 2,
      capability_manifest_hash: hashManifest(next),
      dry_run: true,
      weakens_consent: true,
      unclassified_changes: [{ kind: "permission_scope_changed", weakens_consent: true }],
      warnings: [],
    });
    const [change] = preview.body.breaking_changes;
    expect(change).toMatchObject({ kind: "input_schema_changed", compatibility: { verdict: "breaking" } });
    expect(change.compatibility.counterexample.acceptedBy).toBe("before");
    const large = await registry.publish("dry", ofSize(65_536), { query: "?dry_run=true" });
    expect(large.body.warnings).toMatchObject([{ code: "MANIFEST_LARGE" }]);
    expect((await registry.get("/agents/dry")).body.capability_manifest_version).toBe(1);
    expect((await registry.publish("dry", next, { query: "?dry_run=yes" })).body.code).toBe("INVALID_QUERY");
    expect((await registry.publish("dry", next, { query: "?dryrun=true" })).body.code).toBe("INVALID_QUERY");
  });

  test("accepts exactly 128 KB of canonical JSON, and warns from 64 KB on", async () => {
    await registry.create("size", EMPTY);
    expect((await registry.publish("size", ofSize(65_535))).status).toBe(200);
    expect((await registry.get("/agents/size")).body.warnings).toEqual([]);
    expect((await registry.publish("size", ofSize(MANIFEST_MAX_BYTES))).status).toBe(200);
    expect((await registry.get("/agents/size")).body.warnings).toMatchObject([{ code: "MANIFEST_LARGE" }]);
    const refused = await registry.publish("size", ofSize(MANIFEST_MAX_BYTES + 1));
    expect(refused.body).toMatchObject({ status: 413, code: "MANIFEST_TOO_LARGE", errors: [{ pointer: "" }] });
    const spaced = (bytes: number): string => JSON.stringify(EMPTY).padEnd(bytes, " ");
    expect((await registry.publish("size", 0, { body: spaced(524_288) })).status).toBe(200);
    expect((await registry.publish("size", 0, { body: spaced(524_289) })).body.code).toBe("MANIFEST_TOO_LARGE");
    expect((await registry.get("/agents/size")).body.capability_manifest_version).toBe(4);
  });
});

describe("POST /agents", () => {
  test("adds an agent with version 1, once", async () => {
    const answer = await registry.create("new.agent", EMPTY);
    expect([answer.status, answer.headers.get("location")]).toEqual([201, "/agents/new.agent"]);
    expect(answer.body).toEqual({
      agent_id: "new.agent",
      capability_manifest_version: 1,
      capability_manifest_hash: hashManifest(EMPTY),
      breaking_changes: [],
    });
    expect((await registry.create("new.agent", EMPTY)).body).toMatchObject({ status: 409, code: "AGENT_EXISTS" });
  });

  test("lists the problems of its body", async () => {
    const post = async (body: string): Promise<unknown> => (await registry.request("POST", "/agents", { body })).body;
    expect(await post("[]")).toMatchObject({ status: 422, code: "INVALID_BODY", errors: [{ pointer: "" }, {}, {}] });
    expect(await post('{"agent_id":"a/b","manifest":{}}')).toMatchObject({ errors: [{ pointer: "/agent_id" }] });
    expect(await post(`{"agent_id":"ok","manifest":${JSON.stringify({ ...EMPTY, tools: {} })}}`)).toMatchObject({
      status: 422,
      code: "WRONG_TYPE",
      errors: [{ code: "WRONG_TYPE", pointer: "/manifest/tools" }],
    });
    expect(await post('{"agent_id":"a","agent_id":"b"}')).toMatchObject({ status: 400, code: "INVALID_JSON" });
  });
});
