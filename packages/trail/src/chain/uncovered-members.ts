import { toPointer } from "@agentprint/canonical-json";
import { isRecord } from "../record/record.ts";
import { MAX_LISTED } from "./problem-log.ts";

/** The fields of a record, including `agent_id`, which an author commitment covers. */
const FIELDS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "agent_id",
  "content",
  "hash",
  "id",
  "prev_hash",
  "task_id",
  "timestamp",
  "type",
]);
const MAX_LISTED_MEMBERS = 10;

/**
 * A record with members other than its eight fields. No hash covers these members, so anyone can add, alter or remove
 * them.
 */
export interface UncoveredMembers {
  readonly taskId: string;
  /** 1-based line of the text. */
  readonly line: number;
  /** JSON Pointers to the first ten of these members. */
  readonly paths: readonly string[];
  readonly count: number;
}

/**
 * Finds the records with additional members in a text, line by line, and keeps the first `limit` of them (default 10,000), for a
 * caller that reads the lines anyway. `verifyTaskLines` includes this.
 *
 * @example
 * ```ts
 * import { UncoveredMembersLog } from "@agentprint/trail/chain";
 *
 * const log = new UncoveredMembersLog();
 * log.push({ ...records[0], note: "approved" });
 * console.log(log.found[0]?.paths); // [ '/note' ]
 * ```
 */
export class UncoveredMembersLog {
  readonly found: UncoveredMembers[] = [];
  readonly #limit: number;
  #line = 0;

  constructor(limit: number = MAX_LISTED) {
    this.#limit = limit;
  }

  /** Takes the value of the next line, or of the line with this number. */
  push(value: unknown, line: number = this.#line + 1): void {
    this.#line = line;
    if (this.found.length >= this.#limit || typeof value !== "object" || value === null) return;
    const names = Object.keys(value);
    if (names.length <= FIELDS.size || !isRecord(value)) return;
    const uncovered = names.filter((name) => !FIELDS.has(name));
    const paths = uncovered.slice(0, MAX_LISTED_MEMBERS).map((name) => toPointer([name]));
    this.found.push({ taskId: value.task_id, line: this.#line, paths, count: uncovered.length });
  }
}
