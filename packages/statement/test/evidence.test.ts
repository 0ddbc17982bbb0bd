import { createLock, formatLock } from "@agentprint/mcp-lock";
import { runs } from "@agentprint/testing/property-runs";
import { author, NOW, other, trusted } from "@agentprint/testing/statement/author";
import type { ThoughtRecord } from "@agentprint/trail";
import { createThought } from "@agentprint/trail/chain";
import {
  computeTreeHead,
  createCheckpoint,
  createNoteKeys,
  createNoteSigner,
  createNoteVerifier,
} from "@agentprint/trail/checkpoint";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createEvidence, type EvidenceInput, sealEvidence } from "../src/evidence/create-evidence.ts";
import type { Evidence, EvidencePeriod } from "../src/evidence/evidence.ts";
import { PeriodFinder } from "../src/evidence/period.ts";
import { verifyEvidence } from "../src/evidence/verify-evidence.ts";

const ORIGIN = "example.com/t1";
const KEYS = createNoteKeys("example.com/log", new Uint8Array(32).fill(1));
const LOG = { origin: ORIGIN, log: createNoteVerifier(KEYS.verifierKey) };
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Returns a chain with a record for each of these times. */
function chainOf(times: readonly string[], task = "t1"): ThoughtRecord[] {
  const records: ThoughtRecord[] = [];
  for (const [index, timestamp] of times.entries()) {
    const fields = { type: "plan", task_id: task, agent_id: "a", content: `step ${index}` } as const;
    records.push(createThought(fields, records.at(-1) ?? null, { id: `r${index}`, now: timestamp }));
  }
  return records;
}

const DAYS = [1, 2, 3, 4, 5, 6].map((day) => `2026-01-0${day}T12:00:00.000Z`);

async function noteOf(records: readonly ThoughtRecord[]): Promise<string> {
  return createCheckpoint({ origin: ORIGIN, ...(await computeTreeHead(records)) }, [createNoteSigner(KEYS.signerKey)]);
}

async function evidenceOf(
  records: readonly ThoughtRecord[],
  period: EvidencePeriod = {},
  rest: Partial<EvidenceInput> = {},
): Promise<Evidence> {
  const source = {
    task: "t1",
    async *read() {
      yield* records;
    },
    checkpoints: [await noteOf(records), await noteOf(records.slice(0, 2))],
  };
  return createEvidence({
    made: NOW,
    versions: { agentprint: "1.0.0" },
    period,
    lock: { name: "agentprint.lock", bytes: utf8(formatLock(createLock({}))) },
    attestations: [],
    statements: [],
    trails: [source],
    ...rest,
  });
}

test("a bundle of a whole chain is verified, and in-toto reads each part by its digest", async () => {
  const evidence = await evidenceOf(chainOf(DAYS));
  const { outcome, keyId, problems } = verifyEvidence(sealEvidence(evidence, author), { keys: trusted, log: LOG });
  expect({ outcome, keyId, problems }).toEqual({ outcome: "same", keyId: author.keyId, problems: [] });
  expect(sealEvidence(evidence, author)).toMatch(/^[^\n]*\n$/);
});

test("each period of each chain is verified, and holds every record of it", async () => {
  const day = fc.integer({ min: 1, max: 9 });
  const times = fc.array(day, { minLength: 1, maxLength: 8 }).map((days) => days.toSorted((a, b) => a - b));
  await fc.assert(
    fc.asyncProperty(times, day, day, async (days, one, another) => {
      const [from, to] = [Math.min(one, another), Math.max(one, another) + 1].map(
        (number) => `2026-01-${String(number).padStart(2, "0")}T00:00:00Z`,
      );
      const records = chainOf(days.map((each) => `2026-01-0${each}T12:00:00.000Z`));
      const inside = records.filter(({ timestamp }) => timestamp > String(from) && timestamp < String(to));
      const evidence = await evidenceOf(records, { from, to });
      const { outcome, problems } = verifyEvidence(sealEvidence(evidence, author), { keys: trusted, log: LOG });
      const isOpen = (records.at(-1)?.timestamp ?? "") < String(to);
      expect({ outcome, problems }).toMatchObject({ outcome: inside.length === 0 || isOpen ? "unknown" : "same" });
      const lines = evidence.subject.find(({ name }) => name === "trails/0.jsonl")?.content ?? "";
      for (const { hash } of inside) expect(atob(lines)).toContain(`"hash":"${hash}"`);
      expect(evidence.predicate.trails).toHaveLength(inside.length === 0 ? 0 : 1);
    }),
    { numRuns: runs(30) },
  );
});

test("a clock that went back leaves out no record between others of the period", () => {
  const finder = new PeriodFinder({ from: "2026-01-02T00:00:00Z", to: "2026-01-03T00:00:00Z" });
  for (const time of [DAYS[0], DAYS[1], DAYS[4], "soon", DAYS[0], DAYS[1], DAYS[5], DAYS[5]]) finder.push(time ?? "");
  expect(finder.finish()).toEqual({ first: 0, end: 7, isEmpty: false });
});

test("any changed byte of a part, and any of a signed payload, is detected", async () => {
  const evidence = await evidenceOf(chainOf(DAYS), { from: "2026-01-02T00:00:00Z", to: "2026-01-05T00:00:00Z" });
  const signed = JSON.parse(sealEvidence(evidence, author));
  const flip = (base64: string, at: number, bit: number): string => {
    const bytes = Buffer.from(base64, "base64");
    const index = at % bytes.length;
    bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
    return bytes.toString("base64");
  };
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.integer({ min: 0, max: 7 }), (which, at, bit) => {
      const part = which % evidence.subject.length;
      const subject = evidence.subject.map((each, index) =>
        index === part ? { ...each, content: flip(each.content, at, bit) } : each,
      );
      const changed = verifyEvidence(sealEvidence({ ...evidence, subject }), { keys: [], log: LOG });
      const name = evidence.subject[part]?.name;
      expect(changed.problems).toContainEqual(expect.objectContaining({ rule: "evidence/part-changed", part: name }));
      const payload = JSON.stringify({ ...signed, payload: flip(signed.payload, at, bit) });
      expect(verifyEvidence(payload, { keys: trusted }).problems).toMatchObject([{ rule: "evidence/wrong-signature" }]);
    }),
    { numRuns: runs(75) },
  );
});

test("a signature by another key does not count, and the bundle is not read", async () => {
  const text = sealEvidence(await evidenceOf(chainOf(DAYS)), other);
  const { evidence, outcome } = verifyEvidence(text, { keys: trusted });
  expect({ evidence, outcome }).toEqual({ evidence: undefined, outcome: "drift" });
});

test("a proof whose numbers no chain has does not hold", async () => {
  const evidence = structuredClone(await evidenceOf(chainOf(DAYS))) as unknown as {
    predicate: { trails: { checkpoints: { note: string; consistency?: { newSize: number } }[] }[] };
  };
  const checkpoint = evidence.predicate.trails[0]?.checkpoints.at(-1);
  if (checkpoint?.consistency === undefined) throw new Error("the second checkpoint follows the first one");
  checkpoint.consistency.newSize = 0;
  const { outcome, problems } = verifyEvidence(sealEvidence(evidence as unknown as Evidence, author), {
    keys: trusted,
    log: LOG,
  });
  expect(outcome).toBe("drift");
  expect(problems).toMatchObject([{ rule: "evidence/proof-invalid", part: checkpoint.note }]);
});

test("a statement is carried as it is, and one that cannot be read is found", async () => {
  const evidence = await evidenceOf([], {}, { statements: [{ server: "files", bytes: utf8("{}") }], trails: [] });
  expect(evidence.predicate.statements).toEqual([{ server: "files", part: "statements/0.json" }]);
  const { outcome, problems } = verifyEvidence(sealEvidence(evidence, author), { keys: trusted });
  expect(outcome).toBe("drift");
  expect(problems).toContainEqual(expect.objectContaining({ part: "statements/0.json" }));
});

test("a checkpoint of more records than there are, and two files of one name, make no bundle", async () => {
  const refused = expect.objectContaining({ code: "invalid-evidence" });
  const records = chainOf(DAYS);
  const source = {
    task: "t1",
    read: async function* () {
      yield* records.slice(0, 3);
    },
    checkpoints: [await noteOf(records)],
  };
  await expect(evidenceOf([], {}, { trails: [source] })).rejects.toThrow(refused);
  const file = { name: "a.json", bytes: utf8("{}") };
  const twice = await evidenceOf(records, {}, { attestations: [file, file] });
  expect(() => sealEvidence(twice)).toThrow(
    expect.objectContaining({ code: "invalid-evidence", path: "/subject/2/name" }),
  );
});

test("parts that are too large for one bundle are refused as they are added", async () => {
  const bytes = new Uint8Array(37 * 2 ** 20);
  await expect(evidenceOf([], {}, { lock: { name: "agentprint.lock", bytes } })).rejects.toThrow(
    expect.objectContaining({ code: "invalid-evidence", expected: expect.stringContaining("36 MiB") }),
  );
});

test("evidence of records behind dropped ones needs the checkpoint of those", async () => {
  const records = chainOf(DAYS);
  const source = {
    task: "t1",
    dropped: 2,
    async *read() {
      yield* records.slice(2);
    },
    checkpoints: [await noteOf(records)],
  };
  await expect(evidenceOf(records, {}, { trails: [source] })).rejects.toMatchObject({
    code: "invalid-evidence",
    message: "no checkpoint covers the 2 dropped records of task t1",
  });
});

test("evidence of what is left of a pruned chain is verified, whatever its period and however much was dropped", async () => {
  const records = chainOf(DAYS);
  for (const dropped of [1, 2, 3, 5]) {
    const prune = await computeTreeHead(records.slice(0, dropped), { range: true });
    const pruned = createCheckpoint({ origin: ORIGIN, ...prune }, [createNoteSigner(KEYS.signerKey)]);
    const source = {
      task: "t1",
      dropped,
      async *read() {
        yield* records.slice(dropped);
      },
      checkpoints: [pruned, await noteOf(records)],
    };
    for (const from of DAYS.slice(dropped + 1).map((day) => day.replace(".000", ""))) {
      const evidence = await evidenceOf(records, { from }, { trails: [source] });
      const { outcome, problems } = verifyEvidence(sealEvidence(evidence, author), { keys: trusted, log: LOG });
      expect({ dropped, from, outcome, problems }).toEqual({ dropped, from, outcome: "same", problems: [] });
    }
  }
});
