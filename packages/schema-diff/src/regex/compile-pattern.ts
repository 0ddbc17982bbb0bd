import { type AST, RegExpParser } from "@eslint-community/regexpp";
import { Automaton } from "./automaton.ts";
import { ANY, type CodePoints, complement, DIGITS, LINE_TERMINATORS, SPACES, union, WORD } from "./code-points.ts";

/** The pattern needs more than a finite automaton: look-around, back-reference, word boundary, property escape. */
class Unsupported extends Error {}

const MAX_LENGTH = 2000;
const MAX_STATES = 3000;

/**
 * The automaton of an ECMA-262 pattern with the flag `u`, which accepts the strings that the pattern matches anywhere,
 * as the keyword `pattern` does. `undefined` when the pattern is malformed, too large, or more than regular.
 */
export function compilePattern(source: string): Automaton | undefined {
  if (source.length > MAX_LENGTH) return undefined;
  try {
    const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode: true });
    const automaton = new Automaton(MAX_STATES);
    automaton.on(automaton.entry, ANY, automaton.entry);
    automaton.silent(alternatives(automaton, automaton.entry, pattern.alternatives), automaton.accept);
    return automaton;
  } catch {
    return undefined;
  }
}

/** The automaton of exactly these strings. */
export function compileStrings(strings: Iterable<string>): Automaton {
  const automaton = new Automaton(Number.POSITIVE_INFINITY);
  const root = automaton.add();
  automaton.silent(automaton.entry, root);
  for (const string of strings) {
    let state = root;
    for (const character of string) {
      const code = character.codePointAt(0) as number;
      const to = automaton.add();
      automaton.on(state, [code, code], to);
      state = to;
    }
    automaton.silent(state, automaton.accept, "at-end");
  }
  return automaton;
}

function alternatives(automaton: Automaton, from: number, list: readonly AST.Alternative[]): number {
  const end = automaton.add();
  for (const alternative of list) {
    let state = automaton.add();
    automaton.silent(from, state);
    for (const element of alternative.elements) state = append(automaton, state, element);
    automaton.silent(state, end);
  }
  return end;
}

function append(automaton: Automaton, from: number, element: AST.Element): number {
  switch (element.type) {
    case "Character":
    case "CharacterSet":
    case "CharacterClass": {
      const to = automaton.add();
      automaton.on(from, codePoints(element), to);
      return to;
    }
    case "Group":
      if (element.modifiers) throw new Unsupported();
      return alternatives(automaton, from, element.alternatives);
    case "CapturingGroup":
      return alternatives(automaton, from, element.alternatives);
    case "Quantifier":
      return repeat(automaton, from, element);
    case "Assertion": {
      if (element.kind !== "start" && element.kind !== "end") throw new Unsupported();
      const to = automaton.add();
      automaton.silent(from, to, element.kind === "start" ? "at-start" : "at-end");
      return to;
    }
    default:
      throw new Unsupported();
  }
}

function repeat(automaton: Automaton, from: number, { element, min, max }: AST.Quantifier): number {
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
