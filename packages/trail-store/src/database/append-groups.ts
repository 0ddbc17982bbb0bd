import { TrailError } from "@agentprint/trail/chain";
import { TrailStoreError } from "../errors.ts";
import type { AppendScope, Backend, Lookup, Plan } from "./backend.ts";
import { retrying } from "./retry.ts";
import { keyOf, type StoredThought } from "./schema.ts";

type Append = Backend["append"];

/** The maximum number of appends in one transaction. */
const MAX_GROUP = 64;
/** With this many records, a transaction accepts no further append, because other writers wait for its end. */
const MAX_RECORDS = 1000;
/** The codes of errors that affect all appends in a group alike. */
const COMMON_CODES: readonly (string | undefined)[] = Object.freeze(["busy", "unavailable", "disk-full"]);

/** A waiting append, and the callbacks for its caller. */
interface Waiting {
  readonly scope: AppendScope;
  readonly plan: Plan;
  /** The time after which the append is not retried, on the clock of `performance`. */
  readonly deadline: number;
  readonly resolve: (all: readonly StoredThought[]) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly all: readonly StoredThought[] } | { readonly error: unknown };

/** The options of {@link AppendGroups}. */
export interface Appending extends Pick<Backend, "append" | "classify"> {
  /** How long a transaction is retried while the database is busy, in milliseconds. */
  readonly retryForMs: number;
  /**
   * Returns the queue in which an append waits; appends in the same queue share transactions. `undefined` for an append
   * that never waits.
   */
  readonly lineOf: (scope: AppendScope) => string | undefined;
}

/**
 * Carries out in one transaction the appends that are issued together or wait for an earlier one: separately, a single
 * writer would need a transaction for each, and many writers would wait for each other's locks. The appends are stored
 * in the order in which they were issued, even if the database is busy. Each caller gets the result of its own append
 * once the transaction is committed.
 */
export class AppendGroups {
  readonly #appending: Appending;
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(appending: Appending) {
    this.#appending = appending;
  }

  /** Carries out an append, or queues it behind the running appends in its queue. */
  run(scope: AppendScope, plan: Plan): Promise<readonly StoredThought[]> {
    const line = this.#appending.lineOf(scope);
    if (line === undefined) return this.#appending.append(scope, plan);
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + this.#appending.retryForMs;
      const append = { scope, plan, deadline, resolve, reject };
      const waiting = this.#waiting.get(line);
      if (waiting) waiting.push(append);
      else void this.#drain(line, [append]);
    });
  }

  async #drain(line: string, waiting: Waiting[]): Promise<void> {
    this.#waiting.set(line, waiting);
    // Appends that the caller issues without waiting still join the group.
    await undefined;
    while (waiting.length > 0) waiting.unshift(...(await this.#carryOut(waiting.splice(0, groupSize(waiting)))));
    this.#waiting.delete(line);
  }

  /** Carries out a group, and returns those of its appends for which there is time for another attempt. */
  async #carryOut(group: readonly Waiting[]): Promise<readonly Waiting[]> {
    const { classify, append } = this.#appending;
    const timeLeft = (group[0]?.deadline ?? 0) - performance.now();
    try {
      const outcomes = await retrying(classify, timeLeft, () => carryOutAll(append, group));
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[index] as Outcome;
        if ("error" in outcome) reject(outcome.error);
        else resolve(outcome.all);
      }
      return [];
    } catch (error) {
      const isCommon = error instanceof TrailStoreError && COMMON_CODES.includes(error.code);
      if (group.length > 1 && !isCommon) return this.#carryOutEach(group);
      const isTriedAgain = isCommon && classify(error.cause)?.retry === true;
      const later = isTriedAgain ? group.filter(({ deadline }) => deadline > performance.now()) : [];
      for (const member of group) if (!later.includes(member)) member.reject(error);
      return later;
    }
  }

  async #carryOutEach(group: readonly Waiting[]): Promise<readonly Waiting[]> {
    for (const [index, member] of group.entries()) {
      const later = await this.#carryOut([member]);
      if (later.length > 0) return group.slice(index);
    }
    return [];
  }
}

/** Returns how many waiting appends share the next transaction: the first, and those after it that fit. */
function groupSize(waiting: readonly Waiting[]): number {
  let records = 0;
  const end = waiting.findIndex(({ scope }, index) => {
    records += scope.keys.length;
    return index > 0 && (index === MAX_GROUP || records > MAX_RECORDS);
  });
  return end === -1 ? waiting.length : end;
}

async function carryOutAll(append: Append, group: readonly Waiting[]): Promise<readonly Outcome[]> {
  const [first, ...others] = group;
  if (first !== undefined && others.length === 0) return [{ all: await append(first.scope, first.plan) }];
  let outcomes: readonly Outcome[] = [];
  const keys = group.flatMap(({ scope }) => scope.keys);
  const taskIds = [...new Set(group.flatMap(({ scope }) => scope.taskIds))];
  await append({ keys, taskIds }, (lookup) => {
    const { added, ...joined } = planAll(group, lookup);
    outcomes = joined.outcomes;
    return { added, all: added };
  });
  return outcomes;
}

/**
 * Plans each append after the previous ones. A refused append adds nothing and does not affect the others.
 *
 * @throws any error that is not a refusal, because the database may have ended the transaction.
 */
function planAll(group: readonly Waiting[], lookup: Lookup): { added: StoredThought[]; outcomes: Outcome[] } {
  const added = new Map<string, StoredThought>();
  const heads = new Map<string, StoredThought>();
  const outcomes = group.map(({ plan }): Outcome => {
    try {
      const planned = plan({
        byKey: (key) => added.get(keyOf(key)) ?? lookup.byKey(key),
        head: (taskId) => heads.get(taskId) ?? lookup.head(taskId),
      });
      for (const record of planned.added) {
        added.set(keyOf(record), record);
        heads.set(record.task_id, record);
      }
      return { all: planned.all };
    } catch (error) {
      if (error instanceof TrailError || error instanceof TrailStoreError) return { error };
      throw error;
    }
  });
  return { added: [...added.values()], outcomes };
}
