/** One way of doing a job, measured at several sizes. */
export interface Line {
  readonly name: string;
  /** The largest measured size. Default: the plot's largest size. */
  readonly most?: number;
  /** Whether the line only shows the platform's limit, so that its output is not compared with the other lines'. */
  readonly isLimit?: boolean;
  /** Prepares the job for a size; the job returns its output. */
  make(size: number): () => unknown;
}

/** One diagram of processor time per unit against size. */
export interface Plot {
  /** The name of the diagram's files. */
  readonly name: string;
  readonly title: string;
  /** The objects that a size counts, and the unit whose time is measured. */
  readonly x: string;
  readonly unit: string;
  readonly sizes: readonly number[];
  readonly lines: readonly Line[];
}

/** Processor time per unit in nanoseconds, by size. */
export interface Measured {
  readonly name: string;
  readonly points: readonly (readonly [size: number, nanoseconds: number])[];
}

const ROUNDS = 5;
const LONG_ROUNDS = 2;
const SLICE_NS = 2e7;
const LONG_NS = 5e8;

/**
 * Measures all lines of a plot, size by size. A line ends before the first size at which its job fails, as a recursive
 * writer does with deep values.
 *
 * @param sliceNs - The minimum processor time of one measurement, in nanoseconds.
 * @throws Error if the outputs of two lines differ
 */
export async function measurePlot({ name, sizes, lines }: Plot, sliceNs: number = SLICE_NS): Promise<Measured[]> {
  const measured = lines.map((line) => ({ line, points: [] as [number, number][], hasFailed: false }));
  for (const size of sizes) {
    let expected: unknown;
    for (const each of measured) {
      const { line, points } = each;
      if (each.hasFailed || size > (line.most ?? size)) continue;
      const job = line.make(size);
      try {
        const output = await job();
        if (line.isLimit !== true) {
          expected ??= output;
          if (output !== expected) throw new Error(`${name}, ${size}: ${line.name} has a different output`);
        }
        points.push([size, (await leastTime(job, sliceNs)) / size]);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        each.hasFailed = true;
      }
    }
  }
  return measured.map(({ line, points }) => ({ name: line.name, points }));
}

/**
 * Returns the least processor time per run over several rounds in nanoseconds, because other programs can only add to
 * it.
 */
async function leastTime(job: () => unknown, sliceNs: number): Promise<number> {
  let times = 1;
  let spent = await timeOf(job, times);
  while (spent < sliceNs) {
    // At most ten times as many runs are added, because the first runs include compilation, and short ones are too
    // short to measure.
    times *= Math.min(10, Math.max(2, Math.ceil(sliceNs / Math.max(spent, 1))));
    spent = await timeOf(job, times);
  }
  const rounds = spent > LONG_NS ? LONG_ROUNDS : ROUNDS;
  const figures: number[] = [];
  for (let round = 0; round < rounds; round++) figures.push((await timeOf(job, times)) / times);
  return Math.min(...figures);
}

async function timeOf(job: () => unknown, times: number): Promise<number> {
  const start = process.cpuUsage();
  for (let i = 0; i < times; i++) {
    const output = job();
    if (output instanceof Promise) await output;
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) * 1000;
}
