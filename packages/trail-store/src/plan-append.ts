import type { ThoughtRecord } from "@agentprint/trail";
import { createThought, type ThoughtFields, TrailError } from "@agentprint/trail/chain";
import type { Lookup, Plan } from "./backend.ts";
import { TrailStoreError } from "./errors.ts";
import type { StoredThought } from "./schema.ts";

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
const KEYS: readonly string[] = ["id", "task_id"];
const INPUT_FIELDS = ["type", "task_id", "agent_id", "content", "timestamp"] as const;

/**
 * Whether databases can hold `input` exactly.
 *
 * @throws `TrailStoreError`: `unsupported-text` for lone surrogates and U+0000, `too-large`. `TrailError`
 * `invalid-thought` for an id or task that cannot be looked up.
 */
export function checkInput(input: Partial<NamedInput>): void {
  for (const field of ["id", "task_id", "agent_id", "content", "timestamp"] as const) {
    const text: unknown = input[field];
    const isKey = KEYS.includes(field);
    if (typeof text !== "string") {
      if (!isKey) continue;
      const message = `a thought cannot be recorded: expected a string at /${field}, received ${typeof text}`;
      throw new TrailError("invalid-thought", message, { path: `/${field}` });
    }
    if (!text.isWellFormed() || text.includes("\0")) {
      const message = `/${field} cannot be stored exactly: it has a lone surrogate or U+0000`;
      throw new TrailStoreError("unsupported-text", message, { path: `/${field}` });
    }
    const limit = isKey ? MAX_KEY_LENGTH : MAX_TEXT_LENGTH;
    if (text.length > limit) {
      const message = `/${field} has ${text.length} UTF-16 units; at most ${limit} are stored`;
      throw new TrailStoreError("too-large", message, { path: `/${field}` });
    }
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
  known: ThoughtRecord,
  fields: readonly (keyof ThoughtRecord)[] = INPUT_FIELDS,
): void {
  for (const field of fields) {
    if (input[field] !== undefined && input[field] !== known[field]) {
      const message = `id ${JSON.stringify(known.id)} is recorded with another /${field}`;
      throw new TrailStoreError("id-conflict", message, { path: `/${field}` });
    }
  }
}
