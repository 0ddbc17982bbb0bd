import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { verifyChain } from "../../src/chain/index.ts";
import {
  addSignature,
  createCheckpoint,
  createConsistencyProof,
  createCosigner,
  createInclusionProof,
  createNoteKeys,
  createNoteSigner,
  createNoteVerifier,
  MerkleTree,
  openNote,
  parseCheckpoint,
  parseNote,
  signNote,
  TrailError,
  verifyCheckpoint,
  verifyConsistencyProof,
  verifyInclusionProof,
} from "../../src/checkpoint/index.ts";

const seedOf = (key: number): Uint8Array => new Uint8Array(32).fill(key);
const root = new MerkleTree().rootHash();
const head = { origin: "example.com/log", size: 0, rootHash: root };
const log = createNoteKeys("example.com/log", seedOf(0));

function codeOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (error instanceof TrailError) return error.code;
    throw error;
  }
}

/** A signature made by key `key` under a name, plain or with the time; key 0 is the log's. */
interface Signature {
  readonly key: number;
  readonly name: string;
  readonly plain: boolean;
}

const signatures = fc.array(
  fc.record({ key: fc.nat(3), name: fc.constantFrom("a", "b", "example.com/log"), plain: fc.boolean() }),
  { maxLength: 8 },
);

function signed(given: readonly Signature[]): { note: string; witnesses: ReturnType<typeof createNoteVerifier>[] } {
  let note = createCheckpoint(head, [createNoteSigner(log.signerKey)]);
  const witnesses = given.map(({ key, name, plain }) => {
    const keys = createNoteKeys(name, seedOf(key));
    const signer = plain ? createNoteSigner(keys.signerKey) : createCosigner(keys.signerKey, () => 1.7e9);
    note = addSignature(note, signer);
    return createNoteVerifier(plain ? keys.verifierKey : keys.cosignerKey);
  });
  return { note, witnesses };
}

describe("witnesses", () => {
  test("are counted by their public keys, without the key of the log, and names and types do not matter", () => {
    fc.assert(
      fc.property(signatures, fc.nat(5), (given, threshold) => {
        const { note, witnesses } = signed(given);
        const count = new Set(given.map(({ key }) => key).filter((key) => key !== 0)).size;
        const trust = { origin: head.origin, log: createNoteVerifier(log.verifierKey), witnesses, threshold };
        const enough = (): unknown => verifyCheckpoint(note, trust).witnesses.length;
        expect(codeOf(enough)).toBe(threshold > count ? "too-few-witnesses" : count);
      }),
      { numRuns: 60 },
    );
  });

  test.each([Number.NaN, null, "x", "1", -1, 0.5, Number.POSITIVE_INFINITY, 2 ** 53, true, []])(
    "%j is no threshold",
    (threshold) => {
      const { note } = signed([]);
      const trust = { origin: head.origin, log: createNoteVerifier(log.verifierKey), threshold } as never;
      expect(codeOf(() => verifyCheckpoint(note, trust))).toBe("invalid-threshold");
    },
  );
});

describe("notes", () => {
  const [signer, verifier] = [createNoteSigner(log.signerKey), createNoteVerifier(log.verifierKey)];

  test("have a signature once, even if its line is repeated", () => {
    const note = signNote("text\n", [signer]);
    const line = note.slice("text\n\n".length);
    expect(openNote(note + line + line, [verifier]).signatures).toHaveLength(1);
    expect(openNote(note + line, [verifier]).unknown).toHaveLength(0);
    expect(parseNote(note + line).signatures).toEqual([{ name: log.verifierKey.split("+")[0], keyId: signer.keyId }]);
    expect(addSignature(note, signer)).toBe(note);
    expect(signNote("text\n", [signer, signer])).toBe(note);
    // If a name has two lines, both must be valid.
    const forged = createNoteSigner(log.signerKey).sign("other\n");
    expect(codeOf(() => openNote(addSignature(note, { ...signer, sign: () => forged }), [verifier]))).toBe(
      "invalid-signature",
    );
  });

  test.each(["\u0000", "\u0007", "\u001b[2J", "\u007f", "\u0085", "\u009b", "\n", "\t", " ", "+", "\u2028"])(
    "name nobody with %j",
    (text) => {
      const name = `a${text}b`;
      expect(codeOf(() => createNoteKeys(name, seedOf(1)))).toBe("invalid-key");
      const verifierKey = createNoteKeys("ab", seedOf(1)).verifierKey.replace("ab", name);
      expect(codeOf(() => createNoteVerifier(verifierKey))).toBe("invalid-key");
      expect(codeOf(() => signNote("text\n", [{ ...signer, name }]))).toBe("invalid-key");
      expect(codeOf(() => addSignature(signNote("text\n", [signer]), { ...signer, name }))).toBe("invalid-key");
    },
  );

  test.each(["\u0000", "\u0007", "\u001b"])("have no control character in any line: %j", (text) => {
    const note = `${signNote("text\n", [signer])}\u2014 a${text}b ${Buffer.alloc(68).toString("base64")}\n`;
    expect(codeOf(() => openNote(note, [verifier]))).toBe("invalid-note");
    expect(codeOf(() => parseCheckpoint(`o${text}\n0\n${Buffer.alloc(32).toString("base64")}\n`))).toBe(
      "invalid-checkpoint",
    );
    expect(codeOf(() => createCheckpoint({ ...head, origin: `o${text}` }, [signer]))).toBe("invalid-checkpoint");
  });

  test.each(["", "x", "0102030", "010203ZZ", "0102030405"])("have no key id %j", (keyId) => {
    expect(codeOf(() => signNote("text\n", [{ ...signer, keyId }]))).toBe("invalid-key");
  });
});

describe("the time of a cosignature", () => {
  const keys = createNoteKeys("witness", seedOf(1));

  test.each([Number.NaN, -1, 2 ** 53, Number.POSITIVE_INFINITY, undefined as unknown as number])("is not %d", (now) => {
    expect(codeOf(() => createCosigner(keys.signerKey, () => now).sign("text\n"))).toBe("invalid-time");
  });

  test("is exact, or the signature does not count", () => {
    const verifier = createNoteVerifier(keys.cosignerKey);
    const last = createCosigner(keys.signerKey, () => Number.MAX_SAFE_INTEGER);
    expect(openNote(signNote("text\n", [last]), [verifier]).signatures[0]?.time).toBe(Number.MAX_SAFE_INTEGER);
    // 2^53 + 1 is read as 2^53, which a careless reader would take for the signed time.
    const late = (text: string): Uint8Array => {
      const time = new Uint8Array(8);
      new DataView(time.buffer).setBigUint64(0, 2n ** 53n + 1n);
      const plain = createNoteSigner(keys.signerKey).sign(`cosignature/v1\ntime 9007199254740992\n${text}`);
      return Uint8Array.of(...time, ...plain);
    };
    const note = signNote("text\n", [{ ...last, sign: late }]);
    expect(codeOf(() => openNote(note, [verifier]))).toBe("invalid-signature");
  });
});

describe("proofs are checked against hashes and tree heads only", () => {
  const hashes = ["1", "2", "3", "4"].map((digit) => digit.repeat(64));
  const bad = ["", "x", "A".repeat(64), "1".repeat(63), 5, null, ["1".repeat(64)]];

  test.each(bad)("%j is no hash, neither as a record hash nor in a proof", async (value) => {
    for (let place = 0; place < hashes.length; place++) {
      const given = hashes.with(place, value as string);
      for (let index = 0; index < given.length; index++) {
        await expect(createInclusionProof(given, index, 4)).rejects.toMatchObject({ code: "invalid-hash" });
        await expect(createConsistencyProof(given, index, 4)).rejects.toMatchObject({ code: "invalid-hash" });
      }
    }
    const proof = await createInclusionProof(hashes, 0, 1);
    expect(codeOf(() => verifyInclusionProof(proof, value as string, { size: 1, rootHash: root }))).toBe(
      "invalid-hash",
    );
  });

  test.each([
    null,
    {},
    { size: 4 },
    { size: 4, rootHash: "x" },
    { size: -1, rootHash: root },
    { size: 0.5, rootHash: root },
    { size: "4", rootHash: root },
    { size: 4, rootHash: [root] },
    { size: 4, rootHash: root, authorRootHash: "x" },
  ])("%j is no head", async (given) => {
    const [no, yes] = [given as never, { size: 4, rootHash: root }];
    const inclusion = await createInclusionProof(hashes, 0, 4);
    expect(codeOf(() => verifyInclusionProof(inclusion, hashes[0] as string, no))).toBe("invalid-checkpoint");
    for (const oldSize of [0, 2, 4]) {
      const proof = await createConsistencyProof(hashes, oldSize, 4);
      const old = { size: oldSize, rootHash: root };
      expect(codeOf(() => verifyConsistencyProof(proof, old, no))).toBe("invalid-checkpoint");
      expect(codeOf(() => verifyConsistencyProof(proof, no, yes))).toBe("invalid-checkpoint");
    }
    await expect(verifyChain([], { checkpoints: [no] })).rejects.toMatchObject({ code: "invalid-checkpoint" });
  });

  test.each([null, undefined, {}, { hashes: [] }])("%j is no proof", (proof) => {
    const whole = { size: 0, rootHash: root };
    expect(codeOf(() => verifyInclusionProof(proof as never, "1".repeat(64), whole))).toBe("invalid-proof");
    expect(codeOf(() => verifyConsistencyProof(proof as never, whole, whole))).toBe("invalid-proof");
  });
});

describe("a value that is no record has one problem for each field", () => {
  const record = {
    id: "i",
    type: "plan",
    task_id: "t",
    agent_id: "a",
    content: "",
    timestamp: "now",
    prev_hash: "0".repeat(64),
    hash: "1".repeat(64),
  };

  test.each(Object.keys(record))("%s", async (field) => {
    for (const value of [[], {}, null, 1, { length: 0 }, ""]) {
      if (field === "content" && value === "") continue;
      const { problems, problemCount } = await verifyChain([{ ...record, [field]: value }]);
      expect([field, problems.map(({ path }) => path)]).toEqual([field, [`/${field}`]]);
      expect(problemCount).toBe(1);
    }
  });
});
