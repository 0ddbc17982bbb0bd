import { ENTRIES_A_STEP, StepBudget, withinBudget } from "../budget.ts";
import { MAX_STRING_CODE_POINTS, MAX_VISIBLE_STRING_STEPS } from "../limits.ts";
import type { Automaton, States } from "./automaton.ts";
import { type CodePoints, contains, representative } from "./code-points.ts";

export interface StringQuery {
  /** Patterns that the string must match. */
  readonly matching: readonly Automaton[];
  /** Patterns that the string must not match. */
  readonly avoiding: readonly Automaton[];
  readonly minLength: number;
  readonly maxLength: number;
}

interface Visit {
  readonly states: readonly States[];
  readonly length: number;
  readonly previous: Visit | undefined;
  readonly codePoint: number;
}

type Found = { readonly text: string } | undefined | "too-long";

/**
 * Returns the shortest string that satisfies a query, `undefined` if there is none, or `"too-long"` if even the
 * shortest has more than 10,000 code points. The empty string is returned only if no other string is found. Strings
 * with lone surrogates are left out, because I-JSON forbids them.
 */
export function findString(query: StringQuery, budget: StepBudget): Found {
  const found = findShortest(query, budget);
  if (typeof found !== "object" || found.text !== "") return found;
  const preferring = new StepBudget(MAX_VISIBLE_STRING_STEPS, budget);
  const visible = withinBudget(() => findShortest({ ...query, minLength: 1 }, preferring));
  return typeof visible === "object" ? visible : found;
}

/** Searches the product of all automata breadth-first. */
function findShortest(query: StringQuery, budget: StepBudget): Found {
  if (query.minLength > query.maxLength) return undefined;
  if (query.minLength > MAX_STRING_CODE_POINTS) return "too-long";
  const automata = [...query.matching, ...query.avoiding];
  const letters = alphabet(automata, budget);
  const root: Visit = { states: automata.map((a) => a.start()), length: 0, previous: undefined, codePoint: 0 };
  const queue = [root];
  const seen = new Set<string>();
  for (const visit of queue) {
    if (visit.length >= query.minLength && fulfils(query, visit)) return { text: toText(visit) };
    if (visit.length >= query.maxLength) continue;
    if (visit.length >= MAX_STRING_CODE_POINTS) return "too-long";
    for (const codePoint of letters) {
      budget.spend(1 + automata.length);
      const states = automata.map((a, i) => {
        const current = visit.states[i] as States;
        budget.spend(a.cost(current));
        const next = a.next(current, codePoint);
        budget.spend(next.length / ENTRIES_A_STEP);
        return next;
      });
      if (isDeadEnd(query, states)) continue;
      const next: Visit = { states, length: visit.length + 1, previous: visit, codePoint };
      // Of two strings that are long enough and lead to the same states, the shorter can be continued like the longer,
      // so only the shorter is kept.
      const key = `${Math.min(next.length, query.minLength)}|${states.join("|")}`;
      if (seen.has(key)) continue;
      seen.add(key);
      queue.push(next);
    }
  }
  return undefined;
}

function fulfils(query: StringQuery, { states, length }: Visit): boolean {
  const atStart = length === 0;
  const accepts = (automaton: Automaton, i: number): boolean => automaton.accepts(states[i] as States, atStart);
  return (
    query.matching.every(accepts) &&
    !query.avoiding.some((automaton, i) => accepts(automaton, query.matching.length + i))
  );
}

/**
 * Returns whether no continuation can fulfil the query, because a wanted pattern can no longer match or an avoided one
 * already matches.
 */
function isDeadEnd(query: StringQuery, states: readonly States[]): boolean {
  return states.some((set, i) => {
    const avoided = query.avoiding[i - query.matching.length];
    return avoided ? set[0] === avoided.accept : set.length === 0;
  });
}

function toText(last: Visit): string {
  const codePoints: number[] = [];
  for (let visit: Visit = last; visit.previous; visit = visit.previous) codePoints.push(visit.codePoint);
  return codePoints
    .reverse()
    .map((codePoint) => String.fromCodePoint(codePoint))
    .join("");
}

/** Returns one character for each class of characters that all automata treat alike, with readable characters first. */
function alphabet(automata: readonly Automaton[], budget: StepBudget): number[] {
  const sets = new Map<string, CodePoints>();
  for (const automaton of automata) {
    budget.spend(automaton.weight / ENTRIES_A_STEP);
    for (const set of new Set(automaton.alphabet())) {
      budget.spend(set.length);
      sets.set(set.join(), set);
    }
  }
  const cuts = new Set([0]);
  for (const set of sets.values()) for (const [i, bound] of set.entries()) cuts.add(i % 2 ? bound + 1 : bound);
  const sorted = [...cuts].sort((a, b) => a - b);
  budget.spend(sets.size * sorted.length);
  const byBehaviour = new Map<string, number>();
  for (const [i, first] of sorted.entries()) {
    const letter = representative(first, (sorted[i + 1] ?? 0x110000) - 1);
    if (letter === undefined) continue;
    const behaviour = [...sets.values()].map((set) => (contains(set, letter) ? 1 : 0)).join("");
    const known = byBehaviour.get(behaviour);
    if (known === undefined || readability(letter) < readability(known)) byBehaviour.set(behaviour, letter);
  }
  return [...byBehaviour.values()].sort((a, b) => readability(a) - readability(b) || a - b);
}

function readability(codePoint: number): number {
  if (codePoint >= 97 && codePoint <= 122) return 0;
  if ((codePoint >= 48 && codePoint <= 57) || (codePoint >= 65 && codePoint <= 90)) return 1;
  return codePoint > 32 && codePoint < 127 ? 2 : 3;
}
