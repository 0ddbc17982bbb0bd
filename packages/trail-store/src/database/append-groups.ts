import type { AppendScope, Backend, Lookup, Plan } from "./backend.ts";
import { classifyPostgres } from "./postgres-errors.ts";
import { keyOf, type StoredThought } from "./schema.ts";

type Append = Backend["append"];

/** How many appends one transaction carries out at most. */
const MAX_GROUP = 64;
/** Codes of errors that each append of a group has in the same way. */
const COMMON_CODES: readonly (string | undefined)[] = Object.freeze(["busy", "unavailable", "disk-full"]);

/** An append that waits, and how its caller is answered. */
interface Waiting {
  readonly scope: AppendScope;
  readonly plan: Plan;
  readonly resolve: (all: readonly StoredThought[]) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly all: readonly StoredThought[] } | { readonly error: unknown };

/**
 * Carries out the appends to one task that wait for an earlier one together, in one transaction: a writer alone would pay a
 * transaction for each, and many would wait for each other's locks. Each caller gets the answer of its own append, after the
 * transaction was committed.
 */
export class AppendGroups {
  readonly #append: Append;
  readonly #waiting = new Map<string, Waiting[]>();

  /** @param append carries out one transaction */
  constructor(append: Append) {
    this.#append = append;
  }

  /** Carries out an append, or lets it wait for the one to its task that is under way. */
  run(scope: AppendScope, plan: Plan): Promise<readonly StoredThought[]> {
    const [taskId, ...others] = scope.taskIds;
    if (taskId === undefined || others.length > 0) return this.#append(scope, plan);
    return new Promise((resolve, reject) => {
      const append = { scope, plan, resolve, reject };
      const waiting = this.#waiting.get(taskId);
      if (waiting) waiting.push(append);
      else void this.#drain(taskId, [append]);
    });
  }

  async #drain(taskId: string, waiting: Waiting[]): Promise<void> {
    this.#waiting.set(taskId, waiting);
    while (waiting.length > 0) await this.#carryOut(waiting.splice(0, MAX_GROUP));
    this.#waiting.delete(taskId);
  }

  async #carryOut(group: readonly Waiting[]): Promise<void> {
    let outcomes: readonly Outcome[] = [];
    const scope = { keys: group.flatMap((append) => append.scope.keys), taskIds: group[0]?.scope.taskIds ?? [] };
    try {
      await this.#append(scope, (lookup) => {
        const { added, ...joined } = planAll(group, lookup);
        outcomes = joined.outcomes;
        return { added, all: added };
      });
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[index] as Outcome;
        if ("error" in outcome) reject(outcome.error);
        else resolve(outcome.all);
      }
    } catch (error) {
      const isCommon = group.length === 1 || COMMON_CODES.includes(classifyPostgres(error)?.error.code);
      if (isCommon) for (const { reject } of group) reject(error);
      else for (const append of group) await this.#carryOut([append]);
    }
  }
}

/** Plans each append behind those before it; one that throws adds nothing and leaves the others as they are. */
function planAll(group: readonly Waiting[], lookup: Lookup): { added: StoredThought[]; outcomes: Outcome[] } {
  const added = new Map<string, StoredThought>();
  let head: StoredThought | undefined;
  const outcomes = group.map(({ plan }): Outcome => {
    try {
      const planned = plan({
        byKey: (key) => added.get(keyOf(key)) ?? lookup.byKey(key),
        head: (taskId) => head ?? lookup.head(taskId),
      });
      for (const record of planned.added) added.set(keyOf(record), record);
      head = planned.added.at(-1) ?? head;
      return { all: planned.all };
    } catch (error) {
      return { error };
    }
  });
  return { added: [...added.values()], outcomes };
}
