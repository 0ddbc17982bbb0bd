import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { EMPTY } from "@agentprint/testing/manifest/scoped-manifests";
import { startProcess } from "@agentprint/testing/registry-process";
import { EVERY_AGENT, issueKey } from "../../src/keys/keys.ts";
import { migrate } from "../../src/store/migrations.ts";
import { openStore } from "../../src/store/open-store.ts";
import { taskOf } from "../../src/trail/change-record.ts";

/** The settings of instances that share a database. */
export type Settings = Readonly<Record<string, string>> & { readonly database: string };

/** How often a change is repeated while the registry has no capacity for it. */
const MAX_REPEATS = 120;

/** Creates the tables, a key that may change every agent, and the agent `demo`; returns the key. */
export async function prepare(settings: Settings): Promise<string> {
  const store = await openStore(settings.database);
  await migrate(store.db);
  const { token } = await issueKey(store, EVERY_AGENT, new Date());
  await store.close();
  const registry = await startProcess(settings);
  const body = JSON.stringify({ agent_id: "demo", manifest: EMPTY });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  assert.equal((await fetch(`${registry.url}/agents`, { method: "POST", headers, body })).status, 201);
  assert.equal(await registry.end(), 0);
  return token;
}

/**
 * Publishes a version of `demo`; returns the version, or `undefined` if the answer did not arrive or was not a 200. If
 * the registry is overloaded, the request is repeated, as clients do.
 */
export async function publish(url: string, token: string, patch: number): Promise<number | undefined> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "idempotency-key": randomUUID(),
  };
  const body = JSON.stringify({ ...EMPTY, agent_version: `1.0.${patch}` });
  try {
    let response: Response;
    for (let count = 0; ; count++) {
      response = await fetch(`${url}/agents/demo`, { method: "PATCH", headers, body });
      const wait = Number(response.headers.get("retry-after"));
      if (wait === 0 || count === MAX_REPEATS) break;
      await response.body?.cancel();
      await delay(wait * 1000 * Math.random());
    }
    if (!response.ok) console.error(`${response.status} ${await response.text()}`);
    else return ((await response.json()) as { capability_manifest_version: number }).capability_manifest_version;
  } catch (error) {
    console.error(String((error as Error).cause ?? error));
  }
  return undefined;
}

/**
 * Checks a database's invariants after any storm: versions count from 1 without gap or duplicate, include the
 * acknowledged ones and are each recorded once in an intact trail, and the agent is at the last version. Returns the
 * last version.
 */
export async function checkWhole(database: string, acknowledged: readonly number[]): Promise<number> {
  const store = await openStore(database);
  try {
    const rows = await store.db
      .selectFrom("versions")
      .selectAll()
      .where("agent_id", "=", "demo")
      .orderBy("version")
      .execute();
    assert.deepEqual(
      rows.map(({ version }) => version),
      Array.from(rows, (_, index) => index + 1),
    );
    assert.equal(new Set(acknowledged).size, acknowledged.length, "a version was acknowledged twice");
    assert.ok(
      acknowledged.every((version) => version <= rows.length),
      "an acknowledged version is lost",
    );
    const contents: { version: number; hash: string }[] = [];
    for await (const { content } of store.trail.read(taskOf("demo"))) {
      const { capability_manifest_version: version, capability_manifest_hash: hash } = JSON.parse(content);
      contents.push({ version, hash });
    }
    assert.deepEqual(
      contents,
      rows.map(({ version, hash }) => ({ version, hash })),
    );
    const report = await store.trail.verify();
    assert.ok(report.ok, JSON.stringify(report.tasks[0]?.problems));
    const agent = await store.db.selectFrom("agents").selectAll().where("id", "=", "demo").executeTakeFirstOrThrow();
    assert.deepEqual([agent.version, agent.hash], [rows.length, rows.at(-1)?.hash]);
    return rows.length;
  } finally {
    await store.close();
  }
}

/**
 * Kills an instance in the middle of changes `rounds` times, and checks each time that no acknowledged change is lost.
 */
export async function killRounds(settings: Settings, token: string, rounds: number): Promise<number> {
  const acknowledged: number[] = [];
  let patch = 0;
  for (let round = 0; round < rounds; round++) {
    const registry = await startProcess(settings);
    let answered = 0;
    const writers = Array.from({ length: 8 }, async () => {
      for (;;) {
        const version = await publish(registry.url, token, patch++);
        if (version === undefined) return;
        acknowledged.push(version);
        // The instance crashes at a different place each time, while the other writers are working.
        if (++answered === 5 + round * 3) registry.child.kill("SIGKILL");
      }
    });
    await Promise.all(writers);
    await registry.kill();
    await checkWhole(settings.database, acknowledged);
  }
  return acknowledged.length;
}
