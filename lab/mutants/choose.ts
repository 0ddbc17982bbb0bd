import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Change, changesOf } from "./operators.ts";

/** A change to one file, with a number that stays the same for the same seed and commit. */
export interface Mutant extends Change {
  readonly id: number;
  readonly file: string;
  readonly line: number;
}

/** The folders in which mutants are made, with the same number in each. */
const TARGETS: readonly string[] = [
  "packages/canonical-json/src",
  "packages/trail/src",
  "packages/mcp-lock/src",
  "packages/schema-diff/src",
  "apps/cli/src/commands",
];

/** Uses a seed to choose `count` mutants of the sources below `root`, each on a different line. */
export function chooseMutants(root: string, count: number, seed: number): Mutant[] {
  const random = randomNumbers(seed);
  const mutants: Mutant[] = [];
  for (const [index, target] of TARGETS.entries()) {
    const share = Math.floor(((index + 1) * count) / TARGETS.length) - Math.floor((index * count) / TARGETS.length);
    for (const chosen of draw(candidatesOf(root, target), share, random)) {
      mutants.push({ id: mutants.length + 1, ...chosen });
    }
  }
  return mutants;
}

type Candidate = Omit<Mutant, "id">;

function candidatesOf(root: string, target: string): Candidate[] {
  return globSync(`${target}/**/*.ts`, { cwd: root })
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(root, file), "utf8");
      return changesOf(text, file).map((change) => ({
        ...change,
        file,
        line: text.slice(0, change.start).split("\n").length,
      }));
    });
}

/** Draws an operator first and then a place, so that rare operators are drawn as often as frequent ones. */
function draw(candidates: readonly Candidate[], count: number, random: () => number): Candidate[] {
  const chosen: Candidate[] = [];
  const taken = new Set<string>();
  const byOperator = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    byOperator.set(candidate.operator, [...(byOperator.get(candidate.operator) ?? []), candidate]);
  }
  while (chosen.length < count && byOperator.size > 0) {
    const [operator, places] = [...byOperator][Math.floor(random() * byOperator.size)] as [string, Candidate[]];
    const [candidate] = places.splice(Math.floor(random() * places.length), 1);
    if (places.length === 0) byOperator.delete(operator);
    if (candidate === undefined || taken.has(`${candidate.file}:${candidate.line}`)) continue;
    taken.add(`${candidate.file}:${candidate.line}`);
    chosen.push(candidate);
  }
  return chosen;
}

/** Returns a generator of numbers from 0 to 1 that a seed determines (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
