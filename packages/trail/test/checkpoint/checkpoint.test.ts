import { describe, expect, test } from "vitest";
import { verifyChain } from "../../src/chain/index.ts";
import {
  addSignature,
  authorCanonicalPayload,
  computeAuthorCommitment,
  computeTreeHead,
  createCheckpoint,
  createCosigner,
  createNoteKeys,
  createNoteSigner,
  createNoteVerifier,
  parseCheckpoint,
  signNote,
  TrailError,
  verifyCheckpoint,
} from "../../src/checkpoint/index.ts";
import { formatCheckpoint } from "../../src/checkpoint/signed-checkpoint.ts";
import type { ThoughtRecord } from "../../src/index.ts";
import { at, chainOf, rehashed, replaced, summary } from "../records.ts";

const records = chainOf(10);
const origin = "example.com/trail/task-42";
const logKeys = createNoteKeys(origin, new Uint8Array(32).fill(1));
const witnessKeys = createNoteKeys("example.com/witness", new Uint8Array(32).fill(2));
const signer = createNoteSigner(logKeys.signerKey);
const trust = {
  origin,
  log: createNoteVerifier(logKeys.verifierKey),
  witnesses: [createNoteVerifier(witnessKeys.cosignerKey)],
};

async function checkpointOf(chain: readonly ThoughtRecord[], authors = false): Promise<string> {
  return createCheckpoint({ origin, ...(await computeTreeHead(chain, { authors })) }, [signer]);
}

function codeOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    if (error instanceof TrailError) return error.code;
    throw error;
  }
  return undefined;
}

/** Returns a chain that an intruder rewrote from `index` on, with correct links and hashes. */
function rewrittenFrom(index: number): ThoughtRecord[] {
  const chain = records.slice(0, index);
  for (const record of records.slice(index)) {
    const prev_hash = chain.at(-1)?.hash ?? record.prev_hash;
    chain.push(rehashed(record, { prev_hash, content: record === records[index] ? "other" : record.content }));
  }
  return chain;
}

describe("a checkpoint", () => {
  test("is read back as it was written", async () => {
    const head = await computeTreeHead(records, { authors: true });
    const note = createCheckpoint({ origin, ...head }, [signer]);
    expect(note.split("\n").slice(0, 2)).toEqual([origin, "10"]);
    expect(verifyCheckpoint(note, trust)).toEqual({ origin, ...head, witnesses: [] });
    expect(parseCheckpoint(formatCheckpoint({ origin, size: 0, rootHash: head.rootHash }))).toMatchObject({ size: 0 });
  });

  test("names the witnesses that cosigned it", async () => {
    const note = addSignature(
      await checkpointOf(records),
      createCosigner(witnessKeys.signerKey, () => 1.7e9),
    );
    expect(verifyCheckpoint(note, { ...trust, threshold: 1 }).witnesses).toMatchObject([
      { name: "example.com/witness", time: 1.7e9 },
    ]);
    const unwitnessed = await checkpointOf(records);
    expect(codeOf(() => verifyCheckpoint(unwitnessed, { ...trust, threshold: 1 }))).toBe("too-few-witnesses");
    expect(codeOf(() => verifyCheckpoint(unwitnessed, { origin, log: trust.log, threshold: 1 }))).toBe(
      "too-few-witnesses",
    );
    const twice = [trust.witnesses[0], trust.witnesses[0]].flatMap((witness) => witness ?? []);
    expect(verifyCheckpoint(note, { ...trust, witnesses: twice }).witnesses).toHaveLength(1);
    expect(codeOf(() => verifyCheckpoint(note, { ...trust, witnesses: twice, threshold: 2 }))).toBe(
      "too-few-witnesses",
    );
  });

  test("must be signed by the log and be of the origin asked for", async () => {
    const head = await computeTreeHead(records);
    const cosigner = createCosigner(witnessKeys.signerKey, () => 1);
    expect(codeOf(() => verifyCheckpoint(createCheckpoint({ origin, ...head }, [cosigner]), trust))).toBe(
      "unknown-signer",
    );
    const other = createCheckpoint({ ...head, origin: "example.com/other" }, [signer]);
    expect(codeOf(() => verifyCheckpoint(other, trust))).toBe("wrong-origin");
    const forged = other.replace("example.com/other", origin);
    expect(codeOf(() => verifyCheckpoint(forged, trust))).toBe("invalid-signature");
  });

  const root = Buffer.alloc(32).toString("base64");
  test.each([
    `\n1\n${root}\n`,
    `o\n01\n${root}\n`,
    `o\n-1\n${root}\n`,
    `o\n9007199254740993\n${root}\n`,
    "o\n1\nAAAA\n",
    "o\n1\n!\n",
    "o\n1\n",
    `o\n1\n${root}`,
    `o\n1\n${root}\n\nx\n`,
    `o\n1\n${root}\nauthor-root ${root}\nauthor-root ${root}\n`,
    `o\n1\n${root}\nauthor-root x\n`,
  ])("is not %j", (text) => {
    expect(codeOf(() => parseCheckpoint(text))).toBe("invalid-checkpoint");
  });

  test("may have extension lines of others", () => {
    expect(parseCheckpoint(`o\n1\n${root}\nanything\n`)).toEqual({ origin: "o", size: 1, rootHash: "0".repeat(64) });
  });

  test.each([
    { origin: "", size: 1 },
    { origin: "two\nlines", size: 1 },
    { origin: "o", size: -1 },
    { origin: "o", size: 1.5 },
  ])("cannot be made of %j", (bad) => {
    expect(codeOf(() => formatCheckpoint({ ...bad, rootHash: "0".repeat(64) }))).toBe("invalid-checkpoint");
  });

  test("is a note that any signer can sign", () => {
    const text = formatCheckpoint({ origin, size: 1, rootHash: "0".repeat(64) });
    const fixed = { name: "kms", keyId: "01020304", sign: (): Uint8Array => Uint8Array.of(1, 2, 3) };
    expect(signNote(text, [fixed])).toBe(`${text}\n\u2014 kms ${Buffer.of(1, 2, 3, 4, 1, 2, 3).toString("base64")}\n`);
  });
});

describe("verifyChain with checkpoints shows what links alone cannot", () => {
  test("an intact chain that agrees", async () => {
    const checkpoints = [10, 4, 7].map(async (size) => computeTreeHead(records.slice(0, size)));
    const report = await verifyChain(records, { checkpoints: await Promise.all(checkpoints) });
    expect(report).toMatchObject({ ok: true, checkpointed: 10 });
    const longer = await verifyChain(chainOf(12), { checkpoints: [await computeTreeHead(records)] });
    expect(longer).toMatchObject({ ok: true, checkpointed: 10, length: 12 });
  });

  test("truncated: the tail was cut off, or the whole chain is gone", async () => {
    const head = await computeTreeHead(records);
    expect(summary(await verifyChain(records.slice(0, 6), { checkpoints: [head] }))).toEqual([
      ["truncated", 6, undefined, undefined],
    ]);
    expect(await verifyChain([], { checkpoints: [head] })).toMatchObject({ ok: false, firstBadIndex: 0 });
  });

  test("rewritten: from which checkpoint on", async () => {
    const chain = rewrittenFrom(5);
    expect((await verifyChain(chain)).ok).toBe(true);
    const checkpoints = await Promise.all([4, 7, 10].map((size) => computeTreeHead(records.slice(0, size))));
    const report = await verifyChain(chain, { checkpoints });
    expect(summary(report)).toEqual([["rewritten", 4, "", undefined]]);
    expect(report).toMatchObject({ checkpointed: 4, firstBadIndex: 4 });
    expect(report.problems[0]?.message).toContain("records 4 to 6");
  });

  test("two checkpoints that contradict each other: one of them is of another chain", async () => {
    const [right, wrong] = [await computeTreeHead(records), await computeTreeHead(rewrittenFrom(2))];
    const four = await computeTreeHead(records.slice(0, 4));
    for (const checkpoints of [
      [four, right, wrong],
      [wrong, right, four],
    ]) {
      const report = await verifyChain(records, { checkpoints });
      expect(summary(report)).toEqual([["rewritten", 4, "", undefined]]);
      expect(report).toMatchObject({ checkpointed: 10, firstBadIndex: 4 });
      expect(report.problems[0]?.message).toBe(
        "two checkpoints of size 10 contradict each other; the records match one of them",
      );
    }
  });

  test("a checkpoint of no records that has the root of some", async () => {
    const report = await verifyChain(records, { checkpoints: [{ ...(await computeTreeHead(records)), size: 0 }] });
    expect(summary(report)).toEqual([["rewritten", 0, "", undefined]]);
    expect(report.problems[0]?.message).toBe("the checkpoint of size 0 does not have the root of an empty chain");
  });

  test("wrong records and wrong authors of one size are wrong records", async () => {
    const right = await computeTreeHead(records, { authors: true });
    const checkpoints = [{ ...right, authorRootHash: right.rootHash }, await computeTreeHead(rewrittenFrom(2))];
    for (const heads of [checkpoints, checkpoints.toReversed()]) {
      expect(summary(await verifyChain(records, { checkpoints: heads }))).toEqual([["rewritten", 0, "", undefined]]);
    }
  });

  test("altered content under its old hash is altered, not rewritten", async () => {
    const checkpoints = [await computeTreeHead(records)];
    const chain = replaced(records, 3, { ...at(records, 3), content: "other" });
    expect(summary(await verifyChain(chain, { checkpoints }))).toEqual([["altered", 3, "", undefined]]);
  });

  test("a copy of a record or a record of another task does not count as a record of the chain", async () => {
    const checkpoints = [await computeTreeHead(records)];
    const chain = [...records.slice(0, 5), at(records, 2), at(chainOf(1, { taskId: "other" }), 0), ...records.slice(5)];
    const report = await verifyChain(chain, { checkpoints });
    expect(report.problems.map(({ kind }) => kind)).toEqual(["duplicate", "foreign-task"]);
    expect(report.checkpointed).toBe(10);
  });

  test("an unreadable record is rewritten unless it still has its hash", async () => {
    const checkpoints = [await computeTreeHead(records)];
    const kinds = async (record: unknown): Promise<unknown> =>
      (await verifyChain(replaced(records, 3, record), { checkpoints })).problems.map(({ kind }) => kind);
    expect(await kinds({ ...at(records, 3), type: "observation" })).toEqual(["malformed"]);
    expect(await kinds(null)).toEqual(["malformed", "rewritten"]);
  });

  test("a changed author, where the checkpoint covers authors", async () => {
    const chain = replaced(records, 3, { ...at(records, 3), agent_id: "somebody else" }) as ThoughtRecord[];
    const without = await verifyChain(chain, { checkpoints: [await computeTreeHead(records)] });
    expect(without.ok).toBe(true);
    const checkpoints = [await computeTreeHead(records.slice(0, 2)), await computeTreeHead(records, { authors: true })];
    const report = await verifyChain(chain, { checkpoints });
    expect(summary(report)).toEqual([["rewritten", 2, "/agent_id", undefined]]);
    expect((await verifyChain(records, { checkpoints })).ok).toBe(true);
  });
});

describe("author commitments", () => {
  test("cover the author and, through the hash, all other fields", () => {
    const record = at(records, 0);
    expect(authorCanonicalPayload(record)).toEqual({ agent_id: record.agent_id, hash: record.hash });
    const commitment = computeAuthorCommitment(record);
    expect(commitment).toMatch(/^[0-9a-f]{64}$/);
    expect(computeAuthorCommitment({ ...record, agent_id: "b" })).not.toBe(commitment);
    expect(computeAuthorCommitment({ ...record, hash: "0".repeat(64) })).not.toBe(commitment);
  });
});
