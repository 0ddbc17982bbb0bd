/** One corpus, several ways of doing the same job on it, and the ratio that ours must reach. */
export interface Comparison {
  readonly name: string;
  /** The contender whose time is divided by everybody's: a ratio of 2 is twice as fast as it. */
  readonly reference: string;
  /** The contender that the bar is for. */
  readonly ours: string;
  readonly bar: number;
  /** Rounds of measuring; fewer where a contender takes long. Default: 31. */
  readonly rounds?: number;
  readonly contenders: Readonly<Record<string, () => unknown>>;
  /** Whether a contender's output is right; absent where there is nothing to compare. */
  readonly isCorrect?: (output: unknown) => boolean;
}

export interface Suite {
  readonly title: string;
  comparisons(): Comparison[] | Promise<Comparison[]>;
  /** Gives back what the comparisons needed. */
  close?(): Promise<void>;
}

export interface Result {
  readonly suite: string;
  readonly comparison: string;
  readonly contender: string;
  readonly ratio: number;
  readonly correct: boolean | undefined;
  /** Set for the contender that has a bar. */
  readonly bar: number | undefined;
}

const ROUNDS = 31;
/** Rounds where each takes a tenth of a second and more: a median of so many stays well on one side of its bar on a busy machine, too. */
export const FEW_ROUNDS = 11;
const SLICE_MS = 12;
const WARM_UP_MS = 500;

/** Keeps results alive, and flattens ropes: a string that was never materialized was never made. */
const sink = new Int32Array(1);

function consume(output: unknown): void {
  const trace = typeof output === "string" ? output.charCodeAt(output.length >> 1) : Number(output === undefined);
  sink[0] = (sink[0] ?? 0) ^ trace;
}

/** Nanoseconds a run. Only a job that returns a promise is awaited: awaiting costs time. */
async function time(job: () => unknown, times: number): Promise<number> {
  const start = process.hrtime.bigint();
  for (let i = 0; i < times; i++) {
    const output = job();
    consume(output instanceof Promise ? await output : output);
  }
  return Number(process.hrtime.bigint() - start) / times;
}

/** Iterations that fill one slice, of a job that has run for a while: the first runs of any are compiled on the way. */
async function calibrate(job: () => unknown): Promise<number> {
  let times = 1;
  for (let spent = 0; ; ) {
    const ms = ((await time(job, times)) * times) / 1e6;
    spent += ms;
    if (ms >= SLICE_MS && spent >= WARM_UP_MS) return Math.max(1, Math.round((times * SLICE_MS) / ms));
    if (ms < SLICE_MS) times *= 2;
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] as number;
}

interface Runner {
  readonly name: string;
  readonly job: (() => unknown) | undefined;
  readonly times: number;
  readonly correct: boolean | undefined;
  readonly ratios: number[];
}

/** Which contenders are measured: all, or the one that has the bar and its reference. */
export type Field = "all" | "bar";

/** Runs the contenders in turn, round by round, so that a change of the machine's speed hits them alike. */
export async function measure(suite: string, comparison: Comparison, field: Field): Promise<Result[]> {
  const runners: Runner[] = [];
  for (const [name, job] of Object.entries(comparison.contenders)) {
    if (field === "bar" && name !== comparison.ours && name !== comparison.reference) continue;
    const output = await attempt(job);
    runners.push(
      output instanceof Error
        ? { name, job: undefined, times: 0, correct: false, ratios: [] }
        : { name, job, times: await calibrate(job), correct: comparison.isCorrect?.(output), ratios: [] },
    );
  }
  for (let round = 0; round < (comparison.rounds ?? ROUNDS); round++) {
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
