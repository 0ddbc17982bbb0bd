import type { ThoughtRecord } from "@agentprint/trail";
import { createThought, type ThoughtFields, TrailError } from "@agentprint/trail/chain";
import type { Lookup, Plan } from "./backend.ts";
import { TrailStoreError } from "./errors.ts";
import { isInChain, type StoredThought } from "./schema.ts";

/** A thought to be recorded. */
export interface ThoughtInput extends ThoughtFields {
  /** Names the thought once and for all: recording it again changes nothing. Default: a UUID of version 7. */
  readonly id?: string;
  /** Default: the time of recording, ISO 8601 in UTC. */
  readonly timestamp?: string;
}

/** A thought that has its id. */
export type NamedInput = ThoughtInput & { readonly id: string };

const MAX_KEY_LENGTH = 512;
const MAX_TEXT_LENGTH = 2 ** 20;
const INPUT_FIELDS = Object.freeze(["type", "task_id", "agent_id", "content", "timestamp"] as const);

/**
 * Whether databases can hold `input` exactly.
 *
 * @throws `TrailStoreError`: `unsupported-text` for lone surrogates and U+0000, `too-large`. `TrailError`
 * `invalid-thought` for an id or task that cannot be looked up.
 */
export function checkInput(input: Partial<NamedInput>): void {
  for (const field of ["id", "task_id"] as const) checkKey(field, input[field]);
  for (const field of ["agent_id", "content", "timestamp"] as const) {
    const text: unknown = input[field];
    if (typeof text === "string") checkText(field, text, MAX_TEXT_LENGTH);
  }
}

/**
 * Whether a record or a task can have this name.
 *
 * @throws `TrailError` `invalid-thought` where it is no text or empty. `TrailStoreError`: `unsupported-text`, `too-large`.
 */
export function checkKey(field: "id" | "task_id", key: unknown): void {
  if (typeof key !== "string" || key === "") {
    const received = key === "" ? "an empty one" : typeof key;
    const message = `no thought can be recorded or found: expected a string at /${field}, received ${received}`;
    throw new TrailError("invalid-thought", message, { path: `/${field}` });
  }
  checkText(field, key, MAX_KEY_LENGTH);
}

function checkText(field: string, text: string, limit: number): void {
  if (!text.isWellFormed() || text.includes("\0")) {
    const message = `/${field} cannot be stored exactly: it has a lone surrogate or U+0000`;
    throw new TrailStoreError("unsupported-text", message, { path: `/${field}` });
  }
  if (text.length > limit) {
    const message = `/${field} has ${text.length} UTF-16 units; at most ${limit} are stored`;
    throw new TrailStoreError("too-large", message, { path: `/${field}` });
  }
}

/** Appends `inputs` in their order; one whose id is stored with the same content is that stored record. */
export function planAppend(inputs: readonly NamedInput[], now: () => Date): Plan {
  return (lookup) => {
    const all: StoredThought[] = [];
    const added = new Map<string, StoredThought>();
    const heads = new Map<string, StoredThought>();
    for (const input of inputs) {
      const known = added.get(input.id) ?? lookup.byId(input.id);
      if (known) {
        checkSame(input, known);
        all.push(known);
        continue;
      }
      const record = follow(input, heads.get(input.task_id) ?? lookup.head(input.task_id), now);
      added.set(record.id, record);
      heads.set(record.task_id, record);
      all.push(record);
    }
    return { added: [...added.values()], all };
  };
}

function follow(input: NamedInput, head: ReturnType<Lookup["head"]>, now: () => Date): StoredThought {
  const record = createThought(input, head ?? null, { id: input.id, now: input.timestamp ?? now });
  return { ...record, position: head === undefined ? 0 : head.position + 1 };
}

/**
 * Whether `input` is the record that its id names already, in all `fields` that it has.
 *
 * @throws `TrailStoreError` `id-conflict`.
 */
export function checkSame(
  input: Partial<ThoughtRecord>,
  known: StoredThought,
  fields: readonly (keyof ThoughtRecord)[] = INPUT_FIELDS,
): void {
  if (!isInChain(known)) {
    const message = `id ${JSON.stringify(known.id)} is that of a row that belongs to no chain`;
    throw new TrailStoreError("id-conflict", message, { path: "/id" });
  }
  for (const field of fields) {
    if (input[field] !== undefined && input[field] !== known[field]) {
      const message = `id ${JSON.stringify(known.id)} is recorded with another /${field}`;
      throw new TrailStoreError("id-conflict", message, { path: `/${field}` });
    }
  }
}
