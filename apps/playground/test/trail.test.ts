import { createThought, formatThoughtLine, TrailError } from "@agentprint/trail/chain";
import {
  computeTreeHead,
  createCheckpoint,
  createConsistencyProof,
  createNoteKeys,
  createNoteSigner,
} from "@agentprint/trail/checkpoint";
import type { ThoughtRecord } from "@agentprint/trail/record";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ConsistencyInput, consistencyJob } from "../src/jobs/consistency-job.ts";
import { LineIndex } from "../src/jobs/line-index.ts";
import { givenProofJob, proofJob } from "../src/jobs/proof-job.ts";
import { rowsJob } from "../src/jobs/rows-job.ts";
import { type TrailInput, trailJob } from "../src/jobs/trail-job.ts";

const ORIGIN = "example.com/trail";
const { signerKey, verifierKey: key } = createNoteKeys(ORIGIN, new Uint8Array(32).fill(1));

function chainOf(task_id: string, length: number): ThoughtRecord[] {
  const records: ThoughtRecord[] = [];
  for (let index = 0; index < length; index++) {
    const fields = { task_id, agent_id: "planner", type: "plan", content: `thought ${index}` } as const;
    const sources = { id: `${task_id}.${index}`, now: "2026-04-01T12:00:00.000Z" };
    records.push(createThought(fields, records.at(-1) ?? null, sources));
  }
  return records;
}

const RECORDS = chainOf("t", 9);
const textOf = (records: readonly ThoughtRecord[]): string => records.map(formatThoughtLine).join("");
const noteOf = async (records: readonly ThoughtRecord[]): Promise<string> =>
  createCheckpoint({ origin: ORIGIN, ...(await computeTreeHead(records)) }, [createNoteSigner(signerKey)]);

const verify = (input: Partial<TrailInput>) =>
  trailJob({ trail: textOf(RECORDS), checkpoint: "", key: "", origin: "", task: "", ...input }, () => {});

test("the lines of a text are found, however it is split", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a\n", "\n", "bc", "d\ne"), { maxLength: 12 }), (pieces) => {
      const index = new LineIndex();
      for (const piece of pieces) index.add(Buffer.from(piece));
      const text = pieces.join("");
      const lines = text.split(/(?<=\n)/).filter((line) => line !== "");
      expect(index.lines).toBe(lines.length);
      expect(lines.map((_, at) => text.slice(...index.range(at, at + 1)))).toEqual(lines);
    }),
  );
});

describe("a trail", () => {
  test("that is intact has rows that follow one another", async () => {
    expect(await verify({})).toMatchObject({ ok: true, records: 9, tasks: 1, problems: [] });
    const rows = await rowsJob({ from: 0, to: 3 });
    expect(rows.map((row) => "follows" in row && row.follows)).toEqual([undefined, true, true]);
    expect((await rowsJob({ from: 4, to: 5 }))[0]).toMatchObject({ at: 4, follows: true, content: "thought 4" });
  });

  test("that was altered has its problem at the line of the record", async () => {
    const trail = textOf([...chainOf("other", 2), ...RECORDS]).replace("thought 5", "thought 6");
    const { ok, problems } = await verify({ trail });
    expect({ ok, problems }).toMatchObject({ ok: false, problems: [{ kind: "altered", at: 7 }] });
    expect((await rowsJob({ from: 7, to: 8 }))[0]).toMatchObject({ at: 7, id: "t.5" });
  });

  test("without one of its records has a row that does not follow, and a record of another task never causes this", async () => {
    await verify({ trail: textOf([...RECORDS.slice(0, 2), ...RECORDS.slice(3), ...chainOf("u", 2)]) });
    const rows = await rowsJob({ from: 1, to: 10 });
    const follows = rows.map((row) => "follows" in row && row.follows);
    expect(follows).toEqual([true, false, true, true, true, true, true, undefined, true]);
  });

  test("has its problems in the order of their lines, whatever their task", async () => {
    const altered = (record: ThoughtRecord): ThoughtRecord => ({ ...record, content: "altered" });
    const other = chainOf("u", 2).map((record, index) => (index === 1 ? altered(record) : record));
    const rest = RECORDS.slice(2).map((record, index) => (index === 3 ? altered(record) : record));
    const trail = textOf([...RECORDS.slice(0, 2), ...other, ...rest]);
    expect((await verify({ trail })).problems.map(({ at }) => at)).toEqual([3, 7]);
  });

  test("whose lines are not records has rows that show it", async () => {
    expect(await verify({ trail: "{}\n\n[" })).toMatchObject({ ok: false, records: 3 });
    const rows = await rowsJob({ from: 0, to: 3 });
    expect(rows.map((row) => "unreadable" in row)).toEqual([true, true, true]);
    await expect(proofJob({ at: 1 }, () => {})).rejects.toThrow(TrailError);
  });

  test("with no records is not intact", async () => {
    expect(await verify({ trail: "" })).toMatchObject({ ok: false, records: 0 });
  });
});

describe("a checkpoint", () => {
  test("fits the records that it covers, with and without the key", async () => {
    const checkpoint = (await noteOf(RECORDS.slice(0, 6))).trim();
    expect(await verify({ checkpoint, key })).toMatchObject({ anchor: { fits: true, isSigned: true, size: 6 } });
    expect(await verify({ checkpoint })).toMatchObject({ anchor: { fits: true, isSigned: false } });
    expect(await proofJob({ at: 2 }, () => {})).toMatchObject({ holds: true, of: "checkpoint", size: 6 });
    const { text, ...proof } = await proofJob({ at: 7 }, () => {});
    expect(proof).toEqual({ holds: true, of: "trail", size: 9 });
    expect(JSON.parse(text)).toMatchObject({ recordHash: RECORDS[7]?.hash, index: 7, size: 9 });
  });

  test("has proofs of its task's records only, which do not hold if it covers other records", async () => {
    const trail = textOf([...chainOf("u", 3), ...RECORDS]);
    const checkpoint = await noteOf(RECORDS);
    await verify({ trail, checkpoint, key, task: "t" });
    expect(await proofJob({ at: 4 }, () => {})).toMatchObject({ holds: true, of: "checkpoint", size: 9 });
    await verify({ trail: textOf(chainOf("v", 9)), checkpoint, key });
    expect(await proofJob({ at: 4 }, () => {})).toMatchObject({ holds: false, of: "checkpoint", size: 9 });
  });

  test("does not fit a trail whose end was cut off, or in which a record was altered", async () => {
    const checkpoint = await noteOf(RECORDS);
    for (const trail of [textOf(RECORDS.slice(0, 8)), textOf(RECORDS).replace("thought 5", "thought 6")]) {
      expect(await verify({ trail, checkpoint, key })).toMatchObject({ ok: false, anchor: { fits: false } });
    }
  });

  test.each<[string, Partial<TrailInput>]>([
    ["invalid-note", { checkpoint: "no note" }],
    ["invalid-key", { key: "no key" }],
    ["wrong-origin", { key, origin: "example.com/other" }],
    ["invalid-checkpoint", { key, trail: textOf([...RECORDS, ...chainOf("u", 1)]) }],
    ["invalid-checkpoint", { key, task: "missing" }],
  ])("is refused as %s", async (code, input) => {
    await expect(verify({ checkpoint: await noteOf(RECORDS), ...input })).rejects.toMatchObject({ code });
  });

  test("verifies a proof that someone gave, without the trail", async () => {
    const checkpoint = await noteOf(RECORDS);
    await verify({ checkpoint, key });
    const { text: proof } = await proofJob({ at: 2 }, () => {});
    const given = { checkpoint, key, origin: "", proof };
    expect(givenProofJob(given)).toEqual({ holds: true, isSigned: true, index: 2 });
    const other = proof.replace(String(RECORDS[2]?.hash), String(RECORDS[3]?.hash));
    expect(givenProofJob({ ...given, proof: other })).toMatchObject({ holds: false });
    expect(() => givenProofJob({ ...given, checkpoint: "" })).toThrow(/against a checkpoint/);
    for (const text of ["[]", "{}", "null"]) {
      expect(() => givenProofJob({ ...given, proof: text })).toThrow(
        expect.objectContaining({ code: "invalid-proof" }),
      );
    }
  });
});

describe("a consistency proof", () => {
  const sizes = [3, 9] as const;
  const given = async () => {
    const [older, checkpoint] = await Promise.all(sizes.map((size) => noteOf(RECORDS.slice(0, size))));
    const hashes = RECORDS.map(({ hash }) => hash);
    const consistency = JSON.stringify(await createConsistencyProof(hashes, ...sizes));
    return { older: String(older), checkpoint: String(checkpoint), key, origin: "", consistency };
  };

  test("shows that a checkpoint continues an earlier one, with and without the key", async () => {
    const input = await given();
    const holds = { holds: true, oldSize: 3, newSize: 9 };
    expect(consistencyJob(input)).toEqual({ ...holds, isSigned: true });
    expect(consistencyJob({ ...input, key: "" })).toEqual({ ...holds, isSigned: false });
  });

  test("does not hold for a checkpoint of a trail that was rewritten, or the other way round", async () => {
    const input = await given();
    const rewritten = await noteOf([...RECORDS.slice(0, 2), ...chainOf("t", 9).slice(3)]);
    expect(consistencyJob({ ...input, checkpoint: rewritten })).toMatchObject({ holds: false });
    expect(consistencyJob({ ...input, older: await noteOf(chainOf("u", 3)) })).toMatchObject({ holds: false });
    expect(consistencyJob({ ...input, older: input.checkpoint, checkpoint: input.older })).toMatchObject({
      holds: false,
    });
  });

  test.each<[string, Partial<ConsistencyInput>]>([
    ["invalid-checkpoint", { older: "" }],
    ["invalid-checkpoint", { checkpoint: " " }],
    ["invalid-note", { older: "no note" }],
    ["wrong-origin", { origin: "example.com/other" }],
    ["invalid-proof", { consistency: "null" }],
    ["invalid-proof", { consistency: '{"oldSize":3,"newSize":9,"hashes":["a"]}' }],
    ["unexpected-end", { consistency: "" }],
  ])("is refused as %s", async (code, input) => {
    const all = { ...(await given()), ...input };
    expect(() => consistencyJob(all)).toThrow(expect.objectContaining({ code }));
  });

  test("is refused where the checkpoints are of two logs", async () => {
    const origin = "example.com/other";
    const older = createCheckpoint({ origin, ...(await computeTreeHead(RECORDS)) }, [createNoteSigner(signerKey)]);
    const input = { ...(await given()), older, key: "" };
    expect(() => consistencyJob(input)).toThrow(/"example.com\/other" and "example.com\/trail"/);
  });
});
