import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { canRun, outputOf, runProgram } from "@agentprint/testing/programs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  addSignature,
  type ConsistencyProof,
  computeTreeHead,
  createCheckpoint,
  createConsistencyProof,
  createCosigner,
  createInclusionProof,
  createNoteKeys,
  createNoteSigner,
  createNoteVerifier,
  type InclusionProof,
  type TreeHead,
  verifyCheckpoint,
  verifyConsistencyProof,
  verifyInclusionProof,
} from "../../src/checkpoint/index.ts";
import { chainOf } from "../records.ts";

// The only origin that Go's tlog reads back.
const origin = "go.sum database tree";
const cwd = fileURLToPath(new URL("../../interop/go", import.meta.url));
const downloaded = canRun("go", ["mod", "download"], { cwd });

interface GoAnswer {
  verifierKey: string;
  cosignerKey: string;
  signerKey: string;
  note: string;
  roots: string[];
  inclusions: InclusionProof[];
  consistency: ConsistencyProof[];
}

describe.skipIf(!downloaded)("Go sumdb/note, sumdb/tlog and formats/note (skipped without Go or its modules)", () => {
  const hashes = chainOf(19).map(({ hash }) => hash);
  const directory = mkdtempSync(join(tmpdir(), "trail-interop-"));
  const program = join(directory, "interop");
  const run = (request: unknown) => runProgram(program, [], { input: JSON.stringify(request) });
  let request: { note: string; inclusions: InclusionProof[]; consistency: ConsistencyProof[] } & Record<
    string,
    unknown
  >;
  let answer: GoAnswer;

  beforeAll(async () => {
    outputOf("go", ["build", "-o", program, "."], { cwd });
    const log = createNoteKeys("example.com/log", new Uint8Array(32).fill(7));
    const witness = createNoteKeys("example.com/witness", new Uint8Array(32).fill(8));
    const head = await computeTreeHead(hashes.map((hash) => ({ hash, agent_id: "" })));
    const signed = createCheckpoint({ origin, ...head }, [createNoteSigner(log.signerKey)]);
    const inclusions: InclusionProof[] = [];
    const consistency: ConsistencyProof[] = [];
    for (let size = 1; size <= hashes.length; size++) {
      for (let index = 0; index < size; index++) inclusions.push(await createInclusionProof(hashes, index, size));
      for (let old = 1; old <= size; old++) consistency.push(await createConsistencyProof(hashes, old, size));
    }
    request = {
      verifierKey: log.verifierKey,
      cosignerKey: witness.cosignerKey,
      note: addSignature(
        signed,
        createCosigner(witness.signerKey, () => 1_700_000_000),
      ),
      records: hashes,
      inclusions,
      consistency,
    };
    const { status, stdout, stderr } = run(request);
    expect(stderr).toBe("");
    expect(status).toBe(0);
    answer = JSON.parse(stdout) as GoAnswer;
  });

  afterAll(() => rmSync(directory, { recursive: true }));

  test("verifies the checkpoint, cosignature and every proof of this package, and finds the same roots and proofs", async () => {
    expect(answer.inclusions).toEqual(request.inclusions);
    expect(answer.consistency).toEqual(request.consistency);
    for (let size = 0; size <= hashes.length; size++) {
      const { rootHash } = await computeTreeHead(hashes.slice(0, size).map((hash) => ({ hash, agent_id: "" })));
      expect(answer.roots[size]).toBe(rootHash);
    }
  });

  test("makes a checkpoint, a cosignature and proofs that this package verifies", () => {
    const trust = {
      origin,
      log: createNoteVerifier(answer.verifierKey),
      witnesses: [createNoteVerifier(answer.cosignerKey)],
      threshold: 1,
    };
    const checkpoint = verifyCheckpoint(answer.note, trust);
    expect(checkpoint.size).toBe(hashes.length);
    expect(checkpoint.witnesses[0]?.time).toBeGreaterThan(1.7e9);
    const head = (size: number): TreeHead => ({ size, rootHash: answer.roots[size] as string });
    for (const proof of answer.inclusions) {
      expect(verifyInclusionProof(proof, hashes[proof.index] as string, head(proof.size))).toBe(true);
    }
    for (const proof of answer.consistency) {
      expect(verifyConsistencyProof(proof, head(proof.oldSize), head(proof.newSize))).toBe(true);
    }
    expect(createNoteSigner(answer.signerKey).name).toBe("go.example/log");
  });

  test("refuses what is forged", () => {
    expect(run({ ...request, note: request.note.replace("\n19\n", "\n18\n") }).status).toBe(1);
    const [first, ...rest] = request.inclusions.slice(-19);
    expect(run({ ...request, inclusions: [{ ...first, index: 1 }, ...rest] }).status).toBe(1);
  });
});
