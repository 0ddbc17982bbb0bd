import { createThought, formatThoughtLine } from "@agentprint/trail/chain";
import { computeHash, type ThoughtRecord, ZERO_HASH } from "@agentprint/trail/record";
import fc from "fast-check";

const AWKWARD = ['"', "\\", "\n", "\u0001", "\u001f", "é", "\u2028", "😀", "/", "a", "\\u0041"] as const;
const text = fc.string({ unit: fc.constantFrom(...AWKWARD), maxLength: 6 });
const name = fc.string({ unit: fc.constantFrom(...AWKWARD), minLength: 1, maxLength: 3 });

/** A change to a list of records, with numbers that choose the places and the values. */
type Damage = (records: ThoughtRecord[], at: number, other: number) => void;

const put = (records: ThoughtRecord[], at: number, change: Partial<ThoughtRecord>): void => {
  const record = records[at];
  if (record) records[at] = { ...record, ...change };
};
const rehashed = (record: ThoughtRecord): ThoughtRecord => ({ ...record, hash: computeHash(record) });

const DAMAGES: readonly Damage[] = [
  (records, at) => put(records, at, { content: "changed" }),
  (records, at) => put(records, at, { agent_id: "another" }),
  (records, at) => put(records, at, { type: "reflection" }),
  (records, at) => put(records, at, { hash: "f".repeat(64) }),
  (records, at) => put(records, at, { hash: ZERO_HASH }),
  (records, at, other) => put(records, at, { prev_hash: records[other]?.hash ?? ZERO_HASH }),
  (records, at, other) => put(records, at, { id: records[other]?.id ?? "x" }),
  (records, at) => records.splice(at, 1),
  (records, at) => records.splice(0, at),
  (records, at, other) => records.splice(other, 0, ...records.slice(at, at + 1)),
  (records, at, other) => records.splice(other, 0, ...records.splice(at, 1)),
  (records, at) => records.splice(at, 1, ...records.slice(at, at + 1).map((r) => rehashed({ ...r, content: "new" }))),
  (records, at) => {
    const record = records[at];
    if (record) records.splice(at + 1, 0, rehashed({ ...record, id: `${at}!` }));
  },
  (records, at) => {
    const record = records[at];
    if (record) records.splice(at, 1, rehashed({ ...record, id: `${at}?`, prev_hash: ZERO_HASH }));
  },
  (records, at) => {
    const record = records[at];
    const next = records[at + 1];
    if (!record || !next) return;
    const changed = { ...record, content: "altered" };
    records.splice(at, 2, changed, rehashed({ ...next, prev_hash: computeHash(changed) }));
  },
  (records, at, other) => {
    const [record, twin] = [records[at], records[other]];
    if (record && twin) records.splice(at, 1, rehashed({ ...record, id: twin.id }));
  },
];

/** Changes to a line that make it non-canonical. */
const SPOILS: readonly ((line: string) => string)[] = [
  (line) => line.replace('","', '", "'),
  (line) => line.replace(/"hash":"./, '"hash":"X'),
  (line) => line.replace('"type":"plan"', '"type":"wish"'),
  (line) => line.replace("{", '{"_":1,'),
  (line) => line.replace(/"content":".*","hash"/, '"content":"\\u0041\\ud800","hash"'),
  (line) => line.slice(0, -9),
  () => "",
];

/**
 * Generates the lines of trails of one to three tasks with up to four damaging changes each; about one in ten has
 * a non-canonical line.
 */
export const damagedLines: fc.Arbitrary<string[]> = fc
  .record({
    tasks: fc.uniqueArray(name, { minLength: 1, maxLength: 3 }),
    thoughts: fc.array(fc.record({ task: fc.nat(2), content: text, id: name }), { minLength: 1, maxLength: 9 }),
    damages: fc.array(fc.tuple(fc.nat(DAMAGES.length - 1), fc.nat(9), fc.nat(9)), { maxLength: 4 }),
    spoil: fc.option(fc.tuple(fc.nat(SPOILS.length - 1), fc.nat(9)), { freq: 9 }),
    isLarge: fc.nat(60).map((number) => number === 0),
  })
  .map(({ tasks, thoughts, damages, spoil, isLarge }) => {
    const records = chainsOf(
      thoughts.map(({ task, ...rest }) => ({ ...rest, task_id: tasks[task % tasks.length] ?? "" })),
    );
    if (isLarge) records.push(...chainsOf([{ task_id: "large", id: "1", content: '😀"x'.repeat(150_000) }]));
    for (const [kind, at, other] of damages) DAMAGES[kind]?.(records, at, other);
    const lines = records.map((record) => formatThoughtLine(record).trimEnd());
    const [kind, at] = spoil ?? [];
    return lines.map((line, i) => (i === at ? (SPOILS[kind ?? 0]?.(line) ?? line) : line));
  });

function chainsOf(thoughts: readonly Pick<ThoughtRecord, "id" | "task_id" | "content">[]): ThoughtRecord[] {
  const heads = new Map<string, ThoughtRecord>();
  return thoughts.map(({ id, task_id, content }, i) => {
    const fields = { type: "plan", task_id, agent_id: "a", content } as const;
    const record = createThought(fields, heads.get(task_id) ?? null, { now: "2026-01-01", id: `${id}${i}` });
    heads.set(task_id, record);
    return record;
  });
}
