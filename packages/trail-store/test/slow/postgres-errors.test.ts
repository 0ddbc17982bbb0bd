import { postgresDatabases } from "@agentprint/testing/trail/backends";
import { addSignature, createNoteKeys, createNoteSigner } from "@agentprint/trail/checkpoint";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTrailStore, TrailStoreError } from "../../src/index.ts";

const databases = postgresDatabases();
let url = "";
beforeAll(async () => {
  await databases.start();
  url = await databases.create();
  await (await openTrailStore(url)).close();
});
afterAll(databases.stop);

const thought = { type: "plan", task_id: "t", agent_id: "a", content: "c" } as const;

/** Runs SQL as the owner of the database. */
async function asOwner(statements: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(statements);
  return client;
}

describe("a record that a trigger or a rule keeps out is not acknowledged", () => {
  test.each([
    ["every row", "true"],
    ["one row of several", "new.content = 'swallowed'"],
    ["the last row", "new.task_id = 'last'"],
  ])("%s", async (_name, condition) => {
    const own = await databases.create();
    const store = await openTrailStore(own);
    await store.append(thought);
    const owner = new pg.Client(own);
    await owner.connect();
    await owner.query(`create function swallow() returns trigger language plpgsql as
      $$ begin if ${condition} then return null; end if; return new; end $$;
      create trigger a_swallow before insert on thoughts for each row execute function swallow()`);
    const inputs = [
      { ...thought, content: "second" },
      { ...thought, content: "swallowed" },
      { ...thought, task_id: "last" },
    ];
    // One writer knows the head after which it appends; the other knows no head.
    for (const writer of [store, await openTrailStore(own)]) {
      await expect(writer.appendAll(inputs)).rejects.toMatchObject({
        code: expect.stringMatching(/^(not-stored|append-only)$/),
      });
    }
    expect(await store.verify()).toMatchObject({ ok: false, length: 1, storeProblems: [{ kind: "changed-guard" }] });
    await Promise.all([owner.end(), store.close()]);
  });

  test("by a rule, also of checkpoints", async () => {
    const own = await databases.create();
    const store = await openTrailStore(own);
    await store.append(thought);
    const options = { origin: "o", signers: [createNoteSigner(createNoteKeys("log", new Uint8Array(32)).signerKey)] };
    const owner = new pg.Client(own);
    await owner.connect();
    await owner.query("create rule nothing as on insert to checkpoints do instead nothing");
    await expect(store.checkpoint("t", options)).rejects.toMatchObject({ code: "not-stored" });
    await owner.query("create rule nothing as on insert to thoughts do instead nothing");
    await expect(store.append(thought)).rejects.toMatchObject({ code: "append-only" });
    expect((await store.verify()).storeProblems).toHaveLength(2);
    await Promise.all([owner.end(), store.close()]);
  });
});

describe("an error of PostgreSQL has a code", () => {
  const withOptions = (options: string): string => `${url}?options=${encodeURIComponent(options)}`;

  test.each([
    ["a time limit", "-c statement_timeout=200", "unavailable", /57014/],
    ["a database that is only read", "-c default_transaction_read_only=on", "unavailable", /25006/],
  ])("%s", async (_name, options, code, message) => {
    const store = await openTrailStore(withOptions(options), { create: false, retryForMs: 2000 });
    const other = await asOwner("begin; lock table thoughts in access exclusive mode");
    const unlocked = options.includes("timeout") ? undefined : other.query("rollback");
    await expect(store.append(thought)).rejects.toMatchObject({
      name: "TrailStoreError",
      code,
      message: expect.stringMatching(message),
    });
    await unlocked;
    await other.end();
    await store.close();
  });

  test.each([
    ["an unknown setting", "?options=-c%20nothing%3D1"],
    ["an unknown role", "?options=-c%20role%3Dnobody"],
    ["TLS that the server does not speak", "?sslmode=require"],
  ])("%s", async (_name, query) => {
    const opened = openTrailStore(url + query, { retryForMs: 10 }).then((store) => store.close());
    const error: unknown = await opened.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TrailStoreError);
  });

  test("no password, or a wrong one, which is never repeated", async () => {
    for (const password of ["", ":s3cret", ":s3cret%40x"]) {
      const opened = openTrailStore(url.replace(":password", password), { retryForMs: 10 });
      const message = expect.not.stringContaining("s3cret");
      await expect(opened).rejects.toMatchObject({ name: "TrailStoreError", code: "unavailable", message });
    }
  });

  test("tables of another program", async () => {
    const own = await databases.create();
    const client = new pg.Client(own);
    await client.connect();
    await client.query("create table thoughts (x int); create table checkpoints (x int)");
    const store = await openTrailStore(own, { readonly: true });
    await expect(store.verify()).rejects.toMatchObject({ code: "not-a-trail-store" });
    await expect(store.get("x", "x")).rejects.toMatchObject({ code: "not-a-trail-store" });
    await Promise.all([client.end(), store.close()]);
  });
});

test("a checkpoint of many witnesses is stored", async () => {
  const store = await openTrailStore(url);
  await store.append({ ...thought, task_id: "witnessed" });
  const signer = (name: string) =>
    createNoteSigner(createNoteKeys(name, new Uint8Array(32).fill(name.length)).signerKey);
  let note = await store.checkpoint("witnessed", { origin: "o", signers: [signer("log")] });
  for (let length = 10; length < 60; length++) note = addSignature(note, signer("w".repeat(length)));
  expect(note.length).toBeGreaterThan(6000);
  await store.addCheckpoint("witnessed", note);
  expect(await store.checkpoints("witnessed")).toContain(note);
  await store.close();
});

test.each([
  ["drop trigger thoughts_append_only on thoughts", "trigger thoughts.thoughts_append_only is gone"],
  ["alter table thoughts disable trigger thoughts_behind_head", "trigger thoughts.thoughts_behind_head was changed"],
  ["alter table checkpoints disable trigger all", "trigger checkpoints.checkpoints_append_only was changed"],
  ["create or replace function trail_refuse() returns trigger language plpgsql as 'begin return new; end'", "changed"],
  ["alter function trail_behind_head() set search_path = public", "trigger thoughts.thoughts_behind_head was changed"],
  // A trigger with the same name is on the other table.
  [
    "drop trigger thoughts_append_only on thoughts; create trigger thoughts_append_only before update or delete or truncate on checkpoints for each statement execute function trail_refuse()",
    "trigger thoughts.thoughts_append_only is gone",
  ],
  ["alter table thoughts drop constraint thoughts_no_fork", "constraint thoughts.thoughts_no_fork is gone"],
  [
    "alter table thoughts drop constraint thoughts_hash_hex; alter table thoughts add constraint thoughts_hash_hex check (true)",
    "constraint thoughts.thoughts_hash_hex was changed",
  ],
  [
    "alter table thoughts add column more text; create rule r as on update to thoughts do instead nothing",
    "rule thoughts.r was added",
  ],
])("verify compares what guards the tables: %s", async (change, message) => {
  const own = await databases.create();
  const store = await openTrailStore(own);
  await store.append(thought);
  expect(await store.verify()).toMatchObject({ ok: true, storeProblems: [] });
  const owner = new pg.Client(own);
  await owner.connect();
  await owner.query(change);
  for (const report of [await store.verify(), await store.verify("t")]) {
    expect(report.ok).toBe(false);
    expect(report.storeProblems[0]).toMatchObject({ kind: "changed-guard", message: expect.stringContaining(message) });
  }
  await Promise.all([owner.end(), store.close()]);
});
