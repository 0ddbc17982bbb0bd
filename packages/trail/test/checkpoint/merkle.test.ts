import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createConsistencyProof,
  createInclusionProof,
  MerkleTree,
  ProofTree,
  type TreeHead,
  verifyConsistencyProof,
  verifyInclusionProof,
} from "../../src/checkpoint/index.ts";
import { chainOf } from "../records.ts";

const hashes = chainOf(70).map(({ hash }) => hash);

function headOf(size: number): TreeHead {
  const tree = new MerkleTree();
  for (const hash of hashes.slice(0, size)) tree.append(hash);
  return { size, rootHash: tree.rootHash() };
}

const heads = Array.from({ length: hashes.length + 1 }, (_, size) => headOf(size));
const head = (size: number): TreeHead => heads[size] as TreeHead;

async function* later<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

describe("MerkleTree", () => {
  // The tree that the tests of Certificate Transparency have used since RFC 6962.
  const leaves = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
  test.each([
    [0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    [1, "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"],
    [2, "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"],
    [8, "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"],
  ])("has the known root of %i leaves", (size, root) => {
    const tree = new MerkleTree();
    for (const leaf of leaves.slice(0, size)) tree.appendLeaf(Uint8Array.from(Buffer.from(leaf, "hex")));
    expect(tree.rootHash()).toBe(root);
    expect(tree.size).toBe(size);
  });

  test.each(["", "0".repeat(63), "A".repeat(64), `${"0".repeat(63)}\n`])("refuses %j as a record hash", (hash) => {
    expect(() => new MerkleTree().append(hash)).toThrowError(expect.objectContaining({ code: "invalid-hash" }));
  });
});

describe("inclusion proofs", () => {
  test("verify for every record of every size, and for no other record", async () => {
    for (let size = 1; size <= 20; size++) {
      for (let index = 0; index < size; index++) {
        const proof = await createInclusionProof(later(hashes), index, size);
        for (let other = 0; other < size; other++) {
          expect(verifyInclusionProof(proof, hashes[other] as string, head(size))).toBe(other === index);
        }
      }
    }
  });

  test("that continue above the root fail, even if they lead to the root of a head", async () => {
    const { rootHash } = head(2);
    const { hashes: siblings } = await createInclusionProof(hashes, 1, 2);
    const proof = { index: 0, size: 1, hashes: siblings };
    expect(verifyInclusionProof(proof, hashes[1] as string, { size: 1, rootHash })).toBe(false);
  });

  test("are the same from a whole tree", async () => {
    for (let size = 1; size <= 40; size++) {
      const tree = new ProofTree(hashes.slice(0, size));
      for (let index = 0; index < size; index++) {
        expect(tree.proofOf(index)).toEqual(await createInclusionProof(hashes, index, size));
      }
      for (const index of [-1, 0.5, size]) {
        expect(() => tree.proofOf(index)).toThrowError(expect.objectContaining({ code: "invalid-index" }));
      }
    }
    expect(() => new ProofTree(["A".repeat(64)])).toThrowError(expect.objectContaining({ code: "invalid-hash" }));
  });

  test("fail when anything in them changes", async () => {
    const sizes = fc.integer({ min: 1, max: 70 }).chain((size) => fc.tuple(fc.constant(size), fc.nat(size - 1)));
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(69), fc.nat(7), async ([size, index], other, level) => {
        const proof = await createInclusionProof(hashes, index, size);
        const hash = hashes[index] as string;
        expect(verifyInclusionProof(proof, hash, head(size))).toBe(true);
        const moved = { ...proof, index: other % size };
        expect(verifyInclusionProof(moved, hash, head(size))).toBe(moved.index === index);
        expect(verifyInclusionProof({ ...proof, size: size + 1 }, hash, head(size))).toBe(false);
        const extra = [...proof.hashes, hash];
        expect(verifyInclusionProof({ ...proof, hashes: extra }, hash, head(size))).toBe(false);
        expect(verifyInclusionProof({ ...proof, hashes: extra.slice(0, -2) }, hash, head(size))).toBe(size === 1);
        if (level < proof.hashes.length) {
          const changed = proof.hashes.with(level, hash);
          expect(verifyInclusionProof({ ...proof, hashes: changed }, hash, head(size))).toBe(false);
        }
      }),
    );
  });
});

describe("consistency proofs", () => {
  test("verify for every pair of sizes", async () => {
    for (let newSize = 0; newSize <= 33; newSize++) {
      for (let oldSize = 0; oldSize <= newSize; oldSize++) {
        const proof = await createConsistencyProof(hashes, oldSize, newSize);
        expect(verifyConsistencyProof(proof, head(oldSize), head(newSize))).toBe(true);
        const forged = { ...head(oldSize), rootHash: "0".repeat(64) };
        expect(verifyConsistencyProof(proof, forged, head(newSize))).toBe(false);
      }
    }
  });

  test("fail when anything in them changes", async () => {
    const sizes = fc
      .integer({ min: 2, max: 70 })
      .chain((size) => fc.tuple(fc.integer({ min: 1, max: size - 1 }), fc.constant(size)));
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(7), async ([oldSize, newSize], level) => {
        const proof = await createConsistencyProof(later(hashes), oldSize, newSize);
        const check = (change: Partial<typeof proof>): boolean =>
          verifyConsistencyProof({ ...proof, ...change }, head(oldSize), head(newSize));
        expect(check({})).toBe(true);
        expect(check({ oldSize: oldSize - 1 })).toBe(false);
        expect(check({ hashes: [] })).toBe(false);
        expect(check({ hashes: [...proof.hashes, hashes[0] as string] })).toBe(false);
        expect(check({ hashes: proof.hashes.slice(0, -1) })).toBe(false);
        if (level < proof.hashes.length)
          expect(check({ hashes: proof.hashes.with(level, "1".repeat(64)) })).toBe(false);
        expect(verifyConsistencyProof(proof, head(oldSize), { ...head(newSize), rootHash: "1".repeat(64) })).toBe(
          false,
        );
      }),
    );
  });
});

describe("what is no proof", () => {
  test.each([
    [-1, 3],
    [3, 3],
    [0.5, 3],
    [0, Number.NaN],
    [0, 71],
  ])("record %d of %d cannot be proved", async (index, size) => {
    await expect(createInclusionProof(hashes, index, size)).rejects.toMatchObject({ code: "invalid-index" });
  });

  test.each([
    [4, 3],
    [-1, 3],
    [3, 71],
  ])("consistency of %d with %d cannot be proved", async (oldSize, newSize) => {
    await expect(createConsistencyProof(hashes, oldSize, newSize)).rejects.toMatchObject({ code: "invalid-index" });
  });

  test.each([
    { index: 3, size: 3, hashes: [] },
    { index: 0, size: 2, hashes: ["x"] },
    { index: 0, size: 2, hashes: [1] },
    { index: 0, size: 2, hashes: "0".repeat(64) },
    { index: 0, size: 2 ** 53, hashes: [] },
    { index: 0, size: 2, hashes: Array.from({ length: 65 }, () => "0".repeat(64)) },
  ])("%j is refused", (proof) => {
    const run = (): unknown => verifyInclusionProof(proof as never, hashes[0] as string, head(2));
    expect(run).toThrowError(expect.objectContaining({ code: "invalid-proof" }));
  });
});
