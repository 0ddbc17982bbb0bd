/** One corpus, several ways to do the same job on it, and the ratio that our way must reach. */
export interface Comparison {
  readonly name: string;
  /** The reference, whose time is divided by each contender's: a contender with a ratio of 2 is twice as fast. */
  readonly reference: string;
  /** The contender that has to reach the bar. */
  readonly ours: string;
  readonly bar: number;
  /** The number of rounds; fewer if a contender takes long. Default: 31. */
  readonly rounds?: number;
  readonly contenders: Readonly<Record<string, () => unknown>>;
  /** Whether a contender's output is right; absent if there is nothing to compare. */
  readonly isCorrect?: (output: unknown) => boolean;
}

export interface Suite {
  readonly title: string;
  /**
   * Returns functions that each make one comparison, with their input; `undefined` if this machine cannot measure it.
   *
   * @param part the fraction of the full corpus size: a gate measures a tenth. Default: 1
   */
  comparisons(part?: number): readonly (() => Comparison | undefined | Promise<Comparison | undefined>)[];
  /** Releases the resources of the comparisons. */
  close?(): Promise<void>;
}

export interface Result {
  readonly suite: string;
  readonly comparison: string;
  readonly contender: string;
  /** 0 for a contender that fails or whose output is wrong, because it is not measured. */
  readonly ratio: number;
  /** The interquartile range of the rounds' ratios, relative to their median. */
  readonly spread: number;
  readonly correct: boolean | undefined;
  /** Set for the contender that has a bar. */
  readonly bar: number | undefined;
}

/** The fraction of the largest corpora that a gate measures; it still shows a slowdown. */
export const GATE_PART = 0.1;

const ROUNDS = 31;
/** The minimum number of rounds of a gate, which checks whether a bar is missed by a wide margin. */
const GATE_ROUNDS = 5;
/** The minimum time that a gate measures, in nanoseconds. */
const GATE_NS = 2.5e8;
/**
 * The number of rounds if each takes a tenth of a second or more, which is enough for the median to stay on one side of
 * its bar even on a busy machine.
 */
export const FEW_ROUNDS = 11;
/** The length of a slice; short in a gate, so that other programs interrupt few slices. */
const SLICE_MS = { all: 12, bar: 1.5 };
const WARM_UP_MS = { all: 500, bar: 250 };

/** Keeps results alive, and flattens ropes, because a string that is never flattened is never built. */
const sink = new Int32Array(1);

export function consume(output: unknown): void {
  const trace = typeof output === "string" ? output.charCodeAt(output.length >> 1) : Number(output === undefined);
  sink[0] = (sink[0] ?? 0) ^ trace;
}

/** Returns the nanoseconds per run. Awaits only a job that returns a promise, because awaiting takes time. */
async function time(job: () => unknown, times: number): Promise<number> {
  const start = process.hrtime.bigint();
  for (let i = 0; i < times; i++) {
    const output = job();
    consume(output instanceof Promise ? await output : output);
  }
  return Number(process.hrtime.bigint() - start) / times;
}

/** Returns how many runs of a job fill one slice after a warm-up, because the first runs include compilation. */
async function calibrate(job: () => unknown, field: Field): Promise<number> {
  let times = 1;
  for (let spent = 0; ; ) {
    const ms = ((await time(job, times)) * times) / 1e6;
    spent += ms;
    if (ms >= SLICE_MS[field] && spent >= WARM_UP_MS[field])
      return Math.max(1, Math.round((times * SLICE_MS[field]) / ms));
    if (ms < SLICE_MS[field]) times *= 2;
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

/** Returns the interquartile range of the figures relative to their median; 0 if the median is 0. */
export function spreadOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const quarter = (part: number): number => sorted[Math.round((sorted.length - 1) * part)] as number;
  const middle = median(values);
  return middle === 0 ? 0 : (quarter(0.75) - quarter(0.25)) / middle;
}

interface Runner {
  readonly name: string;
  readonly job: (() => unknown) | undefined;
  readonly times: number;
  readonly correct: boolean | undefined;
  readonly ratios: number[];
}

/** The contenders to measure: all, or only the one with the bar and its reference. */
export type Field = "all" | "bar";

/** Runs the contenders in turn, round by round, so that changes in the machine's speed affect them all alike. */
export async function measure(suite: string, comparison: Comparison, field: Field): Promise<Result[]> {
  const runners: Runner[] = [];
  for (const [name, job] of Object.entries(comparison.contenders)) {
    if (field === "bar" && name !== comparison.ours && name !== comparison.reference) continue;
    const output = await attempt(job);
    const correct = !(output instanceof Error) && comparison.isCorrect?.(output);
    if (correct === false && name === comparison.reference) {
      throw new Error(`${suite}, ${comparison.name}: the output of ${name}, the reference, is wrong`);
    }
    runners.push(
      correct === false
        ? { name, job: undefined, times: 0, correct, ratios: [] }
        : { name, job, times: await calibrate(job, field), correct, ratios: [] },
    );
  }
  const start = process.hrtime.bigint();
  const isEnough = (round: number): boolean =>
    field === "bar"
      ? round >= GATE_ROUNDS && Number(process.hrtime.bigint() - start) > GATE_NS
      : round >= (comparison.rounds ?? ROUNDS);
  for (let round = 0; !isEnough(round); round++) {
    const nanos = new Map<string, number>();
    for (let i = 0; i < runners.length; i++) {
      const runner = runners[(i + round) % runners.length] as Runner;
      if (runner.job !== undefined) nanos.set(runner.name, await time(runner.job, runner.times));
    }
    const reference = nanos.get(comparison.reference) as number;
    for (const runner of runners) runner.ratios.push(reference / (nanos.get(runner.name) ?? Number.POSITIVE_INFINITY));
  }
  return runners.map(({ name, correct, ratios }) => ({
    suite,
    comparison: comparison.name,
    contender: name,
    ratio: median(ratios),
    spread: spreadOf(ratios),
    correct,
    bar: name === comparison.ours ? comparison.bar : undefined,
  }));
}

async function attempt(job: () => unknown): Promise<unknown> {
  try {
    return await job();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
