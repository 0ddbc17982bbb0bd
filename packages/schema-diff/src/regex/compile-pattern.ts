import { type AST, RegExpParser } from "@eslint-community/regexpp";
import type { StepBudget } from "../budget.ts";
import { MAX_AUTOMATON_STATES, MAX_PATTERN_UNITS } from "../limits.ts";
import { Automaton } from "./automaton.ts";
import { ANY, type CodePoints, complement, DIGITS, LINE_TERMINATORS, SPACES, union, WORD } from "./code-points.ts";

/** The pattern needs more than a finite automaton: look-around, back-reference, word boundary, property escape. */
class Unsupported extends Error {}

/** What it takes to add a character of a string. */
const CHARACTER_STEPS = 3;

/**
 * The automaton of an ECMA-262 pattern with the flag `u`, which accepts the strings that the pattern matches anywhere,
 * as the keyword `pattern` does. `undefined` when the pattern is malformed, too large, or more than regular.
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
    const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode: true });
    automaton.on(automaton.entry, ANY, automaton.entry);
    const end = alternatives({ automaton, sets: new Map() }, automaton.entry, pattern.alternatives);
    automaton.silent(end, automaton.accept);
    return true;
  } catch {
    return false;
  }
}

/** The automaton of exactly these strings, as a tree: strings that begin alike share states. */
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

/** An automaton in the making, and the characters of each class: a repeated class is the same every time. */
interface Making {
  readonly automaton: Automaton;
  readonly sets: Map<ClassMember, CodePoints>;
}

function alternatives(making: Making, from: number, list: readonly AST.Alternative[]): number {
  const end = making.automaton.add();
  for (const alternative of list) {
    let state = making.automaton.add();
    making.automaton.silent(from, state);
    for (const element of alternative.elements) state = append(making, state, element);
    making.automaton.silent(state, end);
  }
  return end;
}

function append(making: Making, from: number, element: AST.Element): number {
  switch (element.type) {
    case "Character":
    case "CharacterSet":
    case "CharacterClass": {
      const to = making.automaton.add();
      making.automaton.on(from, setOf(making, element), to);
      return to;
    }
    case "Group":
      if (element.modifiers) throw new Unsupported();
      return alternatives(making, from, element.alternatives);
    case "CapturingGroup":
      return alternatives(making, from, element.alternatives);
    case "Quantifier":
      return repeat(making, from, element);
    case "Assertion": {
      if (element.kind !== "start" && element.kind !== "end") throw new Unsupported();
      const to = making.automaton.add();
      making.automaton.silent(from, to, element.kind === "start" ? "at-start" : "at-end");
      return to;
    }
    default:
      throw new Unsupported();
  }
}

function setOf({ sets }: Making, element: ClassMember): CodePoints {
  const set = sets.get(element) ?? codePoints(element);
  sets.set(element, set);
  return set;
}

function repeat(making: Making, from: number, { element, min, max }: AST.Quantifier): number {
  let state = from;
  for (let i = 0; i < min; i++) state = append(making, step(making, state), element);
  if (max === Number.POSITIVE_INFINITY) {
    const loop = step(making, state);
    making.automaton.silent(append(making, loop, element), loop);
    return loop;
  }
  const end = making.automaton.add();
  for (let i = min; i < max; i++) {
    making.automaton.silent(state, end);
    state = append(making, step(making, state), element);
  }
  making.automaton.silent(state, end);
  return end;
}

function step(making: Making, from: number): number {
  const to = making.automaton.add();
  making.automaton.silent(from, to);
  return to;
}

type ClassMember = AST.Character | AST.CharacterClass | AST.CharacterSet | AST.ClassRangesCharacterClassElement;

function codePoints(member: ClassMember): CodePoints {
  switch (member.type) {
    case "Character":
      return [member.value, member.value];
    case "CharacterClassRange":
      return [member.min.value, member.max.value];
    case "CharacterClass": {
      const set = union((member.elements as ClassMember[]).map(codePoints));
      return member.negate ? complement(set) : set;
    }
    default:
      return escapeSet(member);
  }
}

function escapeSet(set: AST.CharacterSet): CodePoints {
  if (set.kind === "any") return complement(LINE_TERMINATORS);
  if (set.kind === "property") throw new Unsupported();
  const base = set.kind === "digit" ? DIGITS : set.kind === "space" ? SPACES : WORD;
  return set.negate ? complement(base) : base;
}
