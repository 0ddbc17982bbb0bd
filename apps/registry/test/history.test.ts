import { EMPTY } from "@agentprint/testing/manifest/scoped-manifests";
import { computeHash } from "@agentprint/trail";
import { createNoteVerifier, verifyCheckpoint, verifyInclusionProof } from "@agentprint/trail/checkpoint";
import { openTrailStore, type StoreReport } from "@agentprint/trail-store";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OWN_CHAIN } from "../src/trail/change-record.ts";
import { openRegistry, type TestRegistry } from "./support/registry.ts";

const voice = { ...EMPTY, capability_flags: { supports_voice: true } };

let registry: TestRegistry;
beforeAll(async () => {
  registry = await openRegistry();
});
afterAll(() => registry.close());

/** Signs all unsigned versions and returns their agents. */
const sign = async (): Promise<readonly string[]> =>
  (await registry.sign()).signed.filter((agentId) => agentId !== OWN_CHAIN);

/** Verifies a page of the history without any other data. */
// biome-ignore lint/suspicious/noExplicitAny: the answer is any JSON
function verifyOffline(page: any): (boolean | null)[] {
  const trust = { origin: page.origin, log: createNoteVerifier(page.verifier_key) };
  const head = page.checkpoint === null ? null : verifyCheckpoint(page.checkpoint, trust);
  // biome-ignore lint/suspicious/noExplicitAny: the answer is any JSON
  return page.entries.map(({ record, proof, version }: any) => {
    const content = JSON.parse(record.content);
    const isWhole = computeHash(record) === record.hash && content.capability_manifest_version === version;
    return proof && head
      ? isWhole && proof.index === version - 1 && verifyInclusionProof(proof, record.hash, head)
      : null;
  });
}

describe("the history of an agent", () => {
  test("has a record of every version, each provable offline once a checkpoint is signed", async () => {
    await registry.create("demo", EMPTY);
    for (let count = 0; count < 24; count++) await registry.publish("demo", count % 2 === 0 ? voice : EMPTY);
    expect(verifyOffline((await registry.get("/agents/demo/history")).body)).toEqual(Array(20).fill(null));
    expect(await sign()).toEqual(["demo"]);
    expect(await sign()).toEqual([]);
    await registry.publish("demo", voice);
    const first = (await registry.get("/agents/demo/history")).body;
    expect(verifyOffline(first)).toEqual(Array(20).fill(true));
    expect(first.next).toBe(20);
    const second = (await registry.get("/agents/demo/history?after=20")).body;
    expect(verifyOffline(second)).toEqual([true, true, true, true, true, null]);
    expect(second.next).toBeNull();
    expect((await registry.get("/agents/demo/checkpoint")).text).toBe(second.checkpoint);
  });

  test("records who published which hash, with which changes", async () => {
    const { entries } = (await registry.get("/agents/demo/history?after=2&limit=1")).body;
    const version = (await registry.get("/agents/demo/versions/3")).body;
    expect(JSON.parse(entries[0].record.content)).toMatchObject({
      agent_id: "demo",
      capability_manifest_version: 3,
      capability_manifest_hash: version.capability_manifest_hash,
      key_id: version.key_id,
      changes: [{ kind: "capability_flag_revoked", path: "/capability_flags/supports_voice", verdict: "breaking" }],
      diff_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test("cannot be rewritten without detection", async () => {
    const { body } = await registry.get("/agents/demo/history");
    const altered = structuredClone(body);
    altered.entries[4].record.content = altered.entries[4].record.content.replace(/"key_id":"./, '"key_id":"!');
    expect(verifyOffline(altered)[4]).toBe(false);
    const moved = structuredClone(body);
    [moved.entries[1], moved.entries[2]] = [moved.entries[2], moved.entries[1]];
    moved.entries[1].version = 2;
    expect(verifyOffline(moved)[1]).toBe(false);
    expect(() => verifyOffline({ ...body, origin: body.origin.replace("demo", "other") })).toThrow(
      /expected a checkpoint/,
    );
  });

  test("is verified by the store until someone rewrites it", async () => {
    const { store } = registry.services;
    const verify = async (): Promise<StoreReport> => {
      const trail = await openTrailStore(store.url);
      return trail.verify().finally(() => trail.close());
    };
    const verified = await verify();
    expect(verified).toMatchObject({ ok: true, length: 27, storeProblems: [] });
    expect(verified.tasks.map(({ taskId }) => taskId).sort()).toEqual(["agents/demo", "registry"]);
    await sql`drop trigger thoughts_no_update`.execute(store.db);
    await sql`update thoughts set content = '{}' where position = 7`.execute(store.db);
    expect(await verify()).toMatchObject({
      ok: false,
      tasks: expect.arrayContaining([
        expect.objectContaining({
          taskId: "agents/demo",
          problems: expect.arrayContaining([expect.objectContaining({ kind: "altered" })]),
        }),
      ]),
    });
    // The registry notices records that were cut off even after it has built the tree.
    const { store: other } = registry.services;
    expect((await registry.get("/agents/demo/history?after=20")).status).toBe(200);
    await sql`drop trigger thoughts_no_delete`.execute(other.db);
    await sql`create table kept as select * from thoughts where position >= 24`.execute(other.db);
    await sql`delete from thoughts where position >= 24`.execute(other.db);
    expect((await registry.get("/agents/demo/history?after=20")).body.code).toBe("CORRUPT");
    await sql`insert into thoughts select * from kept order by position`.execute(other.db);
    // An altered history is not signed.
    await registry.publish("demo", EMPTY);
    expect(await registry.sign()).toMatchObject({ signed: [], failed: [{ agentId: "demo" }] });
  });
});
