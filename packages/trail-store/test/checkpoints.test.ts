import {
  addSignature,
  computeTreeHead,
  createCheckpoint,
  createCosigner,
  createNoteKeys,
  createNoteSigner,
  createNoteVerifier,
} from "@agentprint/trail/checkpoint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTrailStore, type TrailStore } from "../src/index.ts";
import { collect, postgresDatabases, sqliteMemory, type TestDatabases } from "./backends.ts";

const thought = { type: "plan", task_id: "t", agent_id: "a", content: "c" } as const;
const [log, later, witness] = [1, 2, 3].map((seed) =>
  createNoteKeys(`example.com/${seed}`, new Uint8Array(32).fill(seed)),
) as [Keys, Keys, Keys];
type Keys = ReturnType<typeof createNoteKeys>;
const signers = [createNoteSigner(log.signerKey)];
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

  it("count once a witness or a new key has signed one of them", async () => {
    await store.appendAll([thought, thought]);
    const note = await store.checkpoint("t", { origin: "o", signers });
    await expect(store.verify("t", trusting(log, 1))).rejects.toMatchObject({ code: "too-few-witnesses" });
    const cosigner = createCosigner(witness.signerKey, () => 1.7e9);
    await store.addCheckpoint("t", addSignature(note, cosigner));
    expect(await store.verify("t", trusting(log, 1))).toMatchObject({ ok: true, checkpointed: 2 });
    await expect(store.verify("t", trusting(later))).rejects.toMatchObject({ code: "unknown-signer" });
    await store.append(thought);
    await store.checkpoint("t", { origin: "o", signers: [createNoteSigner(later.signerKey)] });
    expect(await store.verify("t", trusting(later))).toMatchObject({ ok: true, checkpointed: 3 });
  });

  it("must have the signature that they name", async () => {
    const forged = createCheckpoint({ origin: "o", ...(await computeTreeHead([])) }, signers).replace("\n0\n", "\n3\n");
    await store.addCheckpoint("forged", forged);
    await expect(store.verify("forged", trusting(log))).rejects.toMatchObject({ code: "invalid-signature" });
  });

  it("show a task whose records are gone", async () => {
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
