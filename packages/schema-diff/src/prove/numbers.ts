import { INTEGER } from "../kinds.ts";
import { MAX_LISTED_MULTIPLES } from "../limits.ts";
import { areMultiples } from "../multiples.ts";
import type { Bound } from "./branch.ts";
import { type Finding, firstOf, NONE, type Problem, UNKNOWN } from "./finding.ts";

const NEARBY = 8;

/** The number of steps that comparing two divisors takes. */
const MULTIPLE_STEPS = 4;

/** Searches for an integer or a fraction in an interval that is a multiple of some divisors and not a multiple of others. */
export function solveNumber({ branch, fulfils, budget }: Problem): Finding {
  budget.spend(MULTIPLE_STEPS * (branch.multiples.length + 1) * (branch.notMultiples.length + 1));
  const isInteger = branch.kind === INTEGER;
  const step = isInteger ? branch.multiples.filter(Number.isInteger).reduce(leastCommonMultiple, 1) : 0;
  if ([...branch.multiples, step].some((one) => branch.notMultiples.some((other) => areMultiples(one, other))))
    return NONE;
  const low = branch.low ?? { value: Number.NEGATIVE_INFINITY, exclusive: true };
  const high = branch.high ?? { value: Number.POSITIVE_INFINITY, exclusive: true };
  if (!isInteger) {
    if (low.value === high.value && Number.isInteger(low.value)) return NONE;
    return tried(fractions(low, high, branch.multiples), fulfils);
  }
  const first = firstMultiple(low, step);
  const last = -firstMultiple({ value: -high.value, exclusive: high.exclusive }, step);
  if (first > last) return step === 1 || (isExact(first) && isExact(last)) ? NONE : UNKNOWN;
  const count = (last - first) / step + 1;
  if (count <= MAX_LISTED_MULTIPLES && isExact(first) && isExact(last)) {
    return firstOf(
      Array.from({ length: count }, (_, i) => first + i * step),
      fulfils,
    );
  }
  const near = Number.isFinite(first) ? first : Number.isFinite(last) ? last : 0;
  const away = Number.isFinite(first) || !Number.isFinite(last) ? step : -step;
  const excluded = branch.excluded.reduce((sum, values) => sum + values.size, 0);
  const candidates = Array.from({ length: NEARBY + excluded }, (_, i) => near + i * away);
  return tried([...candidates.filter(isExact), first, last], fulfils);
}

function isExact(value: number): boolean {
  return Number.isSafeInteger(value) || !Number.isFinite(value);
}

/**
 * Tries candidates that are only some of the possible values, so the result is unknown if none of them fulfils the
 * goals.
 */
function tried(candidates: Iterable<number>, fulfils: Problem["fulfils"]): Finding {
  const finding = firstOf([...candidates].filter(Number.isFinite), fulfils);
  return finding.found === "value" ? finding : UNKNOWN;
}

function* fractions(low: Bound, high: Bound, multiples: readonly number[]): Iterable<number> {
  const from = Number.isFinite(low.value) ? low.value : Number.isFinite(high.value) ? high.value - 1 : 0;
  const to = Number.isFinite(high.value) ? high.value : from + 1;
  yield* [from + 0.5, to - 0.5, (from + to) / 2, from + (to - from) / 4, from + 0.25, from, to, Math.floor(from) + 0.5];
  for (const step of multiples) {
    const start = Math.ceil(from / step);
    for (let i = 0; i < NEARBY; i++) yield Number(((start + i) * step).toPrecision(12));
  }
}

/**
 * Returns the least multiple of an integer step in an interval that begins at a bound; -Infinity if the bound is
 * -Infinity.
 */
function firstMultiple({ value, exclusive }: Bound, step: number): number {
  if (!Number.isFinite(value)) return value;
  const multiple = Math.ceil(value / step) * step;
  return exclusive && multiple === value ? multiple + step : multiple;
}

function leastCommonMultiple(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y) [x, y] = [y, x % y];
  const multiple = (a / x) * b;
  return Number.isSafeInteger(multiple) ? multiple : a;
}
