import { computeHash, type ThoughtRecord } from "@agentprint/trail";
import { createThought, type ThoughtFields, TrailError } from "@agentprint/trail/chain";
import type { AppendScope, Plan } from "../database/backend.ts";
import { type Head, isInChain, keyOf, MAX_KEY_LENGTH, type StoredThought } from "../database/schema.ts";
import { TrailStoreError } from "../errors.ts";

/** A thought to record. */
export interface ThoughtInput extends ThoughtFields {
  /**
   * Identifies the thought in its task, so that recording a thought with the same id and content again changes nothing.
   * Default: a version 7 UUID.
   */
  readonly id?: string;
  /** Default: the time of recording, in ISO 8601 and UTC. */
  readonly timestamp?: string;
}

/** A thought with its id. */
export type NamedInput = ThoughtInput & { readonly id: string };

/** The maximum number of UTF-16 code units in any other text. */
const MAX_TEXT_LENGTH = 2 ** 20;
const INPUT_FIELDS = Object.freeze(["type", "task_id", "agent_id", "content", "timestamp"] as const);

/**
 * Checks that databases can hold `input` exactly.
 *
 * @throws {@link TrailStoreError} `unsupported-text` when a text has a lone surrogate or U+0000, `too-large` when it is too
 * long.
 * @throws {@link TrailError} `invalid-thought` when the id or the task is not a string or is empty.
 */
export function checkInput(input: Partial<NamedInput>): void {
  for (const field of ["id", "task_id"] as const) checkKey(field, input[field]);
  for (const field of ["agent_id", "content", "timestamp"] as const) {
    const text: unknown = input[field];
    if (typeof text === "string") checkText(field, text, MAX_TEXT_LENGTH);
  }
}

/**
 * Checks that a record can have this id, or that a task can have this name.
 *
 * @throws {@link TrailError} `invalid-thought` when `key` is not a string or is empty.
 * @throws {@link TrailStoreError} `unsupported-text` when the key has a lone surrogate or U+0000, `too-large` when it
 * is too long.
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
    const message = `/${field} has ${text.length} UTF-16 code units; at most ${limit} are stored`;
    throw new TrailStoreError("too-large", message, { path: `/${field}` });
  }
}

/**
 * Plans to append thoughts; assigns ids to those without one now, so that a further attempt cannot record a thought
 * twice.
 *
 * @throws the errors of {@link checkInput}
 */
export function planThoughts(
  inputs: readonly ThoughtInput[],
  newId: () => string,
  now: () => Date,
): { readonly scope: AppendScope; readonly plan: Plan } {
  const named = inputs.map((input) => ({ ...input, id: input.id ?? newId() }));
  for (const input of named) checkInput(input);
  const keys = named.map(({ task_id, id }) => ({ task_id, id }));
  const scope = { keys, taskIds: [...new Set(keys.map(({ task_id }) => task_id))] };
  return { scope, plan: planAppend(named, now) };
}

/**
 * Plans to append `inputs` in their order. If a task already has a record with an input's id and content, the plan
 * returns that record.
 */
function planAppend(inputs: readonly NamedInput[], now: () => Date): Plan {
  return (lookup) => {
    const all: StoredThought[] = [];
    const added = new Map<string, StoredThought>();
    const heads = new Map<string, StoredThought>();
    for (const input of inputs) {
      const known = added.get(keyOf(input)) ?? lookup.byKey(input);
      if (known) {
        checkSame(input, known);
        all.push(known);
        continue;
      }
      const record = follow(input, heads.get(input.task_id) ?? lookup.head(input.task_id), now);
      added.set(keyOf(record), record);
      heads.set(record.task_id, record);
      all.push(record);
    }
    return { added: [...added.values()], all };
  };
}

function follow(input: NamedInput, head: Head | undefined, now: () => Date): StoredThought {
  const sources = { id: input.id, now: input.timestamp ?? now };
  if (head === undefined) return { ...createThought(input, null, sources), position: 0 };
  const position = head.position + 1;
  if ("content" in head) return { ...createThought(input, head, sources), position };
  // The head was dropped, but its successor needs only its hash, which the database keeps.
  const { hash: _hash, ...fields } = { ...createThought(input, null, sources), prev_hash: head.hash };
  return { ...fields, hash: computeHash(fields), position };
}

/**
 * Checks that the stored record with the id of `input` has the same content in all `fields` that `input` has.
 *
 * @throws {@link TrailStoreError} `id-conflict` when its content differs.
 */
export function checkSame(
  input: Partial<ThoughtRecord>,
  known: StoredThought,
  fields: readonly (keyof ThoughtRecord)[] = INPUT_FIELDS,
): void {
  if (!isInChain(known)) {
    const message = `id ${JSON.stringify(known.id)} belongs to a row that is in no chain`;
    throw new TrailStoreError("id-conflict", message, { path: "/id" });
  }
  for (const field of fields) {
    if (input[field] !== undefined && input[field] !== known[field]) {
      const message = `id ${JSON.stringify(known.id)} is recorded with a different /${field}`;
      throw new TrailStoreError("id-conflict", message, { path: `/${field}` });
    }
  }
}
