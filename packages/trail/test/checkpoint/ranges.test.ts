import { describe, expect, test } from "vitest";
import { ChainVerifier, verifyChain } from "../../src/chain/index.ts";
import {
  computeTreeHead,
  createConsistencyProof,
  createInclusionProof,
  parseCheckpoint,
  type RangeHead,
  TrailError,
  TreeHeadBuilder,
} from "../../src/checkpoint/index.ts";
import { formatCheckpoint } from "../../src/checkpoint/signed-checkpoint.ts";
import { chainOf } from "../records.ts";

const records = chainOf(40);
const hashes = records.map(({ hash }) => hash);
const headOf = (size: number): Promise<RangeHead> =>
  computeTreeHead(records.slice(0, size), { range: true }) as Promise<RangeHead>;
const SIZES = records.map((_, index) => index + 1);

test.each(SIZES)("the range of %i records has the audit paths of the first and the last", async (size) => {
  const { range, ...head } = await headOf(size);
  expect(head).toEqual(await computeTreeHead(records.slice(0, size), { authors: true }));
  expect(range.firstPath).toEqual((await createInclusionProof(hashes, 0, size)).hashes);
  expect(range.lastPath).toEqual((await createInclusionProof(hashes, size - 1, size)).hashes);
  expect([range.firstHash, range.lastHash]).toEqual([hashes[0], hashes[size - 1]]);
});

test("no record has no range, and a chain that has its first record begins behind none", async () => {
  expect(await computeTreeHead([], { range: true })).not.toHaveProperty("range");
  const checkpoints = [await headOf(10)];
  const [whole, rest] = [new ChainVerifier({ checkpoints }), new ChainVerifier({ checkpoints })];
  whole.push(records[0]);
  rest.push(records[10]);
  expect([whole.dropped, rest.dropped]).toEqual([undefined, checkpoints[0]]);
});

test("proofs behind a range are those of the whole chain, or say which record they need", async () => {
  let missing = 0;
  const isNeeded = (error: unknown): undefined => {
    expect(error).toMatchObject({ code: "dropped-records" });
    missing++;
  };
  for (const dropped of SIZES.slice(0, 20)) {
    const behind = await headOf(dropped);
    const rest = hashes.slice(dropped);
    for (let size = dropped; size <= 24; size++) {
      for (let index = 0; index < size; index++) {
        const proof = createInclusionProof(rest, index, size, behind);
        if (index < dropped) await expect(proof).rejects.toMatchObject({ code: "dropped-records" });
        else expect(await proof).toEqual(await createInclusionProof(hashes, index, size));
        const consistency = await createConsistencyProof(rest, index, size, behind).catch(isNeeded);
        expect(index < dropped || consistency).toBeTruthy();
        if (consistency) expect(consistency).toEqual(await createConsistencyProof(hashes, index, size));
      }
    }
    const early = { code: "invalid-index" };
    await expect(createInclusionProof(rest, dropped, hashes.length + 1, behind)).rejects.toMatchObject(early);
  }
  expect(missing).toBeGreaterThan(100);
});

test("a range goes through the text of a checkpoint", async () => {
  for (const size of SIZES) {
    const checkpoint = { origin: "o", ...(await headOf(size)) };
    expect(parseCheckpoint(formatCheckpoint(checkpoint))).toEqual(checkpoint);
  }
});

test("a tree that begins behind a range has the heads of one that began at the first record", async () => {
  for (const from of [1, 2, 3, 7, 8, 13, 32, 39]) {
    const builder = new TreeHeadBuilder({ range: true, behind: await headOf(from) });
    for (let size = from; size <= records.length; size++) {
      expect(builder.treeHead()).toEqual(await headOf(size));
      const next = records[size];
      if (next) builder.append(next);
    }
  }
});

test("the records behind every range are verified, and compared with later checkpoints", async () => {
  const [whole, early] = [await headOf(records.length), await headOf(1)];
  for (const size of SIZES) {
    const head = await headOf(size);
    const report = await verifyChain(records.slice(size), {
      checkpoints: [whole, head, early],
      lastHash: head.range.lastHash,
    });
    expect(report).toMatchObject({ ok: true, length: records.length - size, checkpointed: records.length });
    expect(report.head).toBe(hashes.at(-1));
    const { firstHash, lastHash } = head.range;
    expect(report.dropped).toEqual({ size, firstHash, lastHash, rootHash: head.rootHash });
    if (size < records.length) expect(report.anchored).toEqual([{ from: size, to: records.length - 1 }]);
  }
});

describe("behind a range of 10 records", () => {
  const rest = records.slice(10);
  const verify = async (values: readonly unknown[], size = 10) =>
    verifyChain(values, { checkpoints: [await headOf(size), await headOf(40)] });

  test.each([
    ["a record is missing", rest.toSpliced(3, 1), "broken-link", 13],
    ["a record is altered", rest.with(3, { ...rest[3], content: "other" } as (typeof rest)[0]), "altered", 13],
    ["two records are swapped", rest.with(3, rest[4] as never).with(4, rest[3] as never), "broken-link", 13],
    ["the first record is missing", rest.slice(1), "missing-genesis", 0],
    ["the end is missing", rest.slice(0, -1), "truncated", 39],
    ["the chain begins again", [...rest, records[0]], "second-genesis", 40],
    ["the first record is there twice", [rest[0], ...rest], "duplicate", 11],
  ])("%s", async (_name, values, kind, index) => {
    const report = await verify(values);
    expect(report.ok).toBe(false);
    expect(report.problems[0]).toMatchObject({ kind, index });
  });

  test("a head with another range does not help", async () => {
    expect((await verify(rest, 9)).problems[0]?.kind).toBe("missing-genesis");
  });

  test("no record is left, or its last hash is another one", async () => {
    const checkpoints = [await headOf(10)];
    expect(await verifyChain([], { checkpoints, lastHash: hashes[9] as string })).toMatchObject({
      ok: true,
      length: 0,
    });
    const other = await verifyChain([], { checkpoints, lastHash: hashes[8] as string });
    expect(other.problems).toMatchObject([{ kind: "truncated", index: 0 }]);
  });
});

describe("no tree head", () => {
  test.each<[string, (head: RangeHead) => object]>([
    ["another first hash", ({ range }) => ({ range: { ...range, firstHash: hashes[1] } })],
    ["another last hash", ({ range }) => ({ range: { ...range, lastHash: hashes[1] } })],
    ["a shorter first path", ({ range }) => ({ range: { ...range, firstPath: range.firstPath.slice(1) } })],
    ["a shorter last path", ({ range }) => ({ range: { ...range, lastPath: range.lastPath.slice(1) } })],
    ["other author peaks", ({ range }) => ({ range: { ...range, authorPeaks: range.authorPeaks.toReversed() } })],
    ["fewer author peaks", ({ range }) => ({ range: { ...range, authorPeaks: [] } })],
    ["no path", ({ range }) => ({ range: { ...range, firstPath: undefined } })],
    ["no hash", ({ range }) => ({ range: { ...range, lastHash: "x" } })],
    ["no author root", () => ({ authorRootHash: undefined })],
    ["another root", () => ({ rootHash: hashes[0] })],
    ["another size", () => ({ size: 12 })],
    ["the size 0", () => ({ size: 0 })],
  ])("%s", async (_name, change) => {
    const head = await headOf(11);
    const changed = { ...head, ...change(head) } as RangeHead;
    await expect(verifyChain([], { checkpoints: [changed] })).rejects.toMatchObject({ code: "invalid-checkpoint" });
  });

  test.each([
    [(text: string) => text.replace(/^first-record .*\n/m, "")],
    [(text: string) => `${text}last-record ${Buffer.alloc(32).toString("base64")}\n`],
    [(text: string) => text.replace(/^author-peaks .*$/m, "author-peaks ")],
    [(text: string) => text.replace(/^author-root .*\n/m, "")],
    [(text: string) => text.replace(/^11$/m, "12")],
  ])("in a text: %s", async (change) => {
    const text = change(formatCheckpoint({ origin: "o", ...(await headOf(11)) }));
    expect(() => parseCheckpoint(text)).toThrow(TrailError);
  });
});
