import type { StepBudget } from "../budget.ts";
import { MAX_AUTOMATON_STATES, MAX_PATTERN_UNITS } from "../limits.ts";
import { Automaton } from "./automaton.ts";
import { ANY } from "./code-points.ts";
import { type PatternAlternative, type PatternElement, parsePattern } from "./parse-pattern.ts";

/** The number of steps that adding one character of a string takes. */
const CHARACTER_STEPS = 3;

/**
 * Returns the automaton for an ECMA-262 pattern with the flag `u`. It accepts the strings in which the pattern matches
 * anywhere, as the keyword `pattern` does. Returns `undefined` if the pattern is malformed or too large, or cannot be
 * expressed as a finite automaton.
 */
export function compilePattern(source: string, budget: StepBudget): Automaton | undefined {
  budget.spend(1 + source.length);
  if (source.length > MAX_PATTERN_UNITS) return undefined;
  const automaton = new Automaton(MAX_AUTOMATON_STATES);
  const compiled = fill(automaton, source);
  budget.spend(automaton.weight);
  return compiled ? automaton : undefined;
}

function fill(automaton: Automaton, source: string): boolean {
  try {
    const pattern = parsePattern(source);
    automaton.on(automaton.entry, ANY, automaton.entry);
    const end = appendAlternatives(automaton, automaton.entry, pattern);
    automaton.silent(end, automaton.accept);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the automaton that accepts exactly the given strings. The automaton is a tree in which strings with the same
 * beginning share states.
 */
export function compileStrings(strings: Iterable<string>, budget: StepBudget): Automaton {
  const automaton = new Automaton(Number.POSITIVE_INFINITY);
  const root = automaton.add();
  automaton.silent(automaton.entry, root);
  const children = new Map<number, Map<number, number>>();
  for (const string of strings) {
    budget.spend(1 + string.length * CHARACTER_STEPS);
    let state = root;
    for (const character of string) state = childOf(automaton, children, state, character.codePointAt(0) as number);
    automaton.silent(state, automaton.accept, "at-end");
  }
  return automaton;
}

function childOf(automaton: Automaton, children: Map<number, Map<number, number>>, from: number, code: number): number {
  const known = children.get(from) ?? new Map<number, number>();
  children.set(from, known);
  const to = known.get(code) ?? automaton.add();
  if (!known.has(code)) automaton.on(from, [code, code], to);
  known.set(code, to);
  return to;
}

function appendAlternatives(automaton: Automaton, from: number, alternatives: readonly PatternAlternative[]): number {
  const end = automaton.add();
  for (const elements of alternatives) {
    let state = automaton.add();
    automaton.silent(from, state);
    for (const element of elements) state = append(automaton, state, element);
    automaton.silent(state, end);
  }
  return end;
}

function append(automaton: Automaton, from: number, element: PatternElement): number {
  switch (element.type) {
    case "character": {
      const to = automaton.add();
      automaton.on(from, element.set, to);
      return to;
    }
    case "edge": {
      const to = automaton.add();
      automaton.silent(from, to, element.edge);
      return to;
    }
    case "group":
      return appendAlternatives(automaton, from, element.alternatives);
    case "repetition":
      return repeat(automaton, from, element);
  }
}

function repeat(
  automaton: Automaton,
  from: number,
  repetition: Extract<PatternElement, { type: "repetition" }>,
): number {
  const { element, min, max } = repetition;
  let state = from;
  for (let i = 0; i < min; i++) state = append(automaton, step(automaton, state), element);
  if (max === Number.POSITIVE_INFINITY) {
    const loop = step(automaton, state);
    automaton.silent(append(automaton, loop, element), loop);
    return loop;
  }
  const end = automaton.add();
  for (let i = min; i < max; i++) {
    automaton.silent(state, end);
    state = append(automaton, step(automaton, state), element);
  }
  automaton.silent(state, end);
  return end;
}

function step(automaton: Automaton, from: number): number {
  const to = automaton.add();
  automaton.silent(from, to);
  return to;
}
