import { collect, postgresDatabases, sqliteMemory, type TestDatabases } from "@agentprint/testing/trail/backends";
import {
  addSignature,
  createCosigner,
  createNoteKeys,
  createNoteSigner,
  createNoteVerifier,
  signNote,
} from "@agentprint/trail/checkpoint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTrailStore, type TrailStore } from "../src/index.ts";

const thought = { type: "plan", task_id: "t", agent_id: "a", content: "c" } as const;
const [log, later, witness] = [1, 2, 3].map((seed) =>
  createNoteKeys(`example.com/${seed}`, new Uint8Array(32).fill(seed)),
) as [Keys, Keys, Keys];
type Keys = ReturnType<typeof createNoteKeys>;
const signers = [createNoteSigner(log.signerKey)];
const ROOT = Buffer.alloc(32).toString("base64");
const untrusted = (message: string): object => ({
  ok: false,
  storeProblems: [{ kind: "untrusted-checkpoints", message: expect.stringContaining(message) }],
});
const trusting = (keys: Keys, threshold = 0) => ({
  trust: () => ({
    origin: "o",
    log: createNoteVerifier(keys.verifierKey),
    witnesses: [createNoteVerifier(witness.cosignerKey)],
    threshold,
  }),
});

describe.each<[string, TestDatabases]>([
  ["SQLite", sqliteMemory],
  ["PostgreSQL", postgresDatabases()],
])("checkpoints in %s", (_name, databases) => {
  let store: TrailStore;
  beforeAll(async () => {
    await databases.start();
    store = await openTrailStore(await databases.create());
  });
  afterAll(async () => {
    await store.close();
    await databases.stop();
  });

  test("count once a witness or a new key has signed one of them", async () => {
    await store.appendAll([thought, thought]);
    const note = await store.checkpoint("t", { origin: "o", signers });
    expect(await store.verify("t", trusting(log, 1))).toMatchObject(untrusted("expected 1 witnesses"));
    const cosigner = createCosigner(witness.signerKey, () => 1.7e9);
    await store.addCheckpoint("t", addSignature(note, cosigner));
    expect(await store.verify("t", trusting(log, 1))).toMatchObject({ ok: true, checkpointed: 2 });
    expect(await store.verify("t", trusting(later))).toMatchObject(untrusted("expected a signature of"));
    await store.append(thought);
    await store.checkpoint("t", { origin: "o", signers: [createNoteSigner(later.signerKey)] });
    expect(await store.verify("t", trusting(later))).toMatchObject({ ok: true, checkpointed: 3 });
  });

  test("must have the signature that they name: a forged one is reported by itself", async () => {
    await store.append({ ...thought, task_id: "forged" });
    const right = await store.checkpoint("forged", { origin: "o", signers });
    await store.addCheckpoint("forged", right.replace("\n1\n", "\n3\n"));
    const report = await store.verify("forged", trusting(log));
    expect(report).toMatchObject({ ok: false, problemCount: 0, checkpointed: 1 });
    expect(report.storeProblems).toMatchObject([{ kind: "invalid-checkpoint", taskId: "forged", count: 1 }]);
    // The forged checkpoint does not prevent the log from signing others.
    await store.append({ ...thought, task_id: "forged" });
    expect(await store.checkpoint("forged", { origin: "o", signers })).toContain("\n2\n");
  });

  test("of other keys, logs and tasks do not count, and do not prevent the next one", async () => {
    const task = { ...thought, task_id: "others" };
    await store.append(task);
    const root = Buffer.alloc(32, 9).toString("base64");
    for (const [origin, keys] of [
      ["o", later],
      ["another", log],
    ] as const) {
      await store.addCheckpoint("others", signNote(`${origin}\n5\n${root}\n`, [createNoteSigner(keys.signerKey)]));
    }
    expect(await store.verify("others", trusting(log))).toMatchObject(untrusted("none of the checkpoints"));
    expect((await store.verify(undefined, trusting(log))).tasks.some(({ taskId }) => taskId === "others")).toBe(true);
    await store.checkpoint("others", { origin: "o", signers });
    expect(await store.verify("others", trusting(log))).toMatchObject({ ok: true, checkpointed: 1 });
    const both = { origin: "o", signers, verifiers: [log, later].map((keys) => createNoteVerifier(keys.verifierKey)) };
    await expect(store.checkpoint("others", both)).rejects.toMatchObject({ code: "invalid-trail" });
    const signer = { ...createNoteSigner(later.signerKey), verifier: undefined };
    const { verifier: _verifier, ...unverifiable } = signer;
    const signing = store.checkpoint("others", { origin: "o", signers: [unverifiable] });
    await expect(signing).rejects.toMatchObject({ code: "unverifiable-checkpoint" });
  });

  test.each([
    ["", "invalid-note"],
    ["o\n1\n\n", "invalid-note"],
    [`o\n1\n${ROOT}\n\n`, "invalid-note"],
    [`o\n1\n${ROOT}\n\n\u2014 x AAAA\n`, "invalid-note"],
    [`o\n1\nAAAA\n\n\u2014 x ${ROOT}\n`, "invalid-checkpoint"],
    [`o\n-1\n${ROOT}\n\n\u2014 x ${ROOT}\n`, "invalid-checkpoint"],
    [`o\u0000\n1\n${ROOT}\n\n\u2014 x ${ROOT}\n`, "invalid-note"],
  ])("%j is none", async (note, code) => {
    await expect(store.addCheckpoint("t", note)).rejects.toMatchObject({ code });
  });

  test.each(["", "a\0b", "\ud800", "x".repeat(513)])("cannot be of task %j", async (taskId) => {
    const note = `o\n1\n${ROOT}\n\n\u2014 x ${ROOT}\n`;
    await expect(store.addCheckpoint(taskId, note)).rejects.toMatchObject({ path: "/task_id" });
    await expect(store.checkpoints(taskId)).rejects.toMatchObject({ path: "/task_id" });
  });

  test("show a task whose records are gone", async () => {
    const copy = await openTrailStore(await databases.create());
    const [head] = await store.checkpoints("t");
    await copy.append({ ...thought, task_id: "z" });
    await copy.addCheckpoint("t", head ?? "");
    await copy.checkpoint("z", { origin: "o", signers });
    expect(await collect(copy.tasks())).toEqual([
      { taskId: "t", length: 0 },
      { taskId: "z", length: 1 },
    ]);
    const { ok, tasks } = await copy.verify(undefined, trusting(log));
    expect([ok, tasks.map(({ counts }) => counts.truncated)]).toEqual([false, [1, 0]]);
    await copy.close();
  });
});
