import type { ChainReport } from "../src/chain/chain-report.ts";
import { createThought } from "../src/chain/create-thought.ts";
import { computeHash, THOUGHT_TYPES, type ThoughtRecord } from "../src/index.ts";

/**
 * Returns `length` linked records of one task, with the ids `<prefix>-0`, `<prefix>-1` and so on unless `id` gives
 * others.
 */
export function chainOf(
  length: number,
  options: { taskId?: string; prefix?: string; id?: (index: number) => string } = {},
): ThoughtRecord[] {
  const { taskId = "task-42", prefix = "rec", id = (index) => `${prefix}-${index}` } = options;
  const records: ThoughtRecord[] = [];
  for (let index = 0; index < length; index++) {
    const type = THOUGHT_TYPES[index % 4] ?? "plan";
    const fields = {
      type,
      task_id: taskId,
      agent_id: `agent-${index % 3}`,
      content: `Thought ${index} \u00e9 \u2705 \n`,
    };
    records.push(createThought(fields, records.at(-1) ?? null, { now: new Date(1.7e12 + index), id: id(index) }));
  }
  return records;
}

/** Returns `record` with `change` and the correct hash. */
export function rehashed(record: ThoughtRecord, change: Partial<ThoughtRecord>): ThoughtRecord {
  const changed = { ...record, ...change };
  return { ...changed, hash: computeHash(changed) };
}

/** Returns the record at `index`, which must exist. */
export function at(records: readonly ThoughtRecord[], index: number): ThoughtRecord {
  const record = records.at(index);
  if (!record) throw new RangeError(`no record ${index}`);
  return record;
}

/** Returns `records` with another value at `index`. */
export function replaced(records: ThoughtRecord[], index: number, record: unknown): unknown[] {
  return records.toSpliced(index, 1, record as ThoughtRecord);
}

/** Returns the kind, index, path and related index of each problem. */
export function summary({ problems }: ChainReport): unknown[] {
  return problems.map(({ kind, index, path, related }) => [kind, index, path, related]);
}
