import type { Gate } from "./gate/open-gate.ts";
import { median, type Result } from "./measure.ts";
import { type Measured, measureApart } from "./measure-apart.ts";

/** Suites that run alone on the machine, because they start programs or wait for files and databases. */
const ALONE = /^(?:cli|recorder|trail-store)\/|^tool-pins\/import$/;
/** The number of purely computational suites that a gate measures at the same time, each on its own processor. */
const LANES = 2;
/** The maximum number of attempts; if the first misses its gate, the median decides. */
const ATTEMPTS = 5;

interface Row {
  readonly name: string;
  readonly results: readonly Result[];
  /** The comparison with the build before the change, if there is one. */
  readonly verdict: Awaited<ReturnType<Gate["compare"]>>;
}

export interface MeasuredSuite {
  readonly suite: string;
  readonly title: string;
  readonly rows: readonly Row[];
}

/**
 * Measures suites, and returns their results in the order of the suites. With a gate, only the contenders that have a
 * bar and their references are measured, and rows that miss while another suite runs are measured again alone: only the
 * second result counts.
 *
 * @param misses returns whether a result is below its bar by more than this machine explains
 */
export async function* measureSuites(
  suites: readonly string[],
  gate: Gate | undefined,
  misses: (result: Result) => boolean,
): AsyncGenerator<MeasuredSuite> {
  const field = gate ? "bar" : "all";
  const attempt = (suite: string, index: number): Promise<Measured> => measureApart(suite, index, field);

  /**
   * Makes a comparison once; if it misses, returns the median of three attempts; if that misses, the median of five.
   */
  async function attemptFairly(suite: string, index: number): Promise<Measured> {
    const attempts = [await attempt(suite, index)];
    let measured = attempts[0] as Measured;
    while (measured.results.some(misses) && attempts.length < ATTEMPTS) {
      attempts.push(await attempt(suite, index), await attempt(suite, index));
      const ratioOf = (place: number) => median(attempts.map(({ results }) => results[place]?.ratio as number));
      measured = {
        ...measured,
        results: measured.results.map((result, place) => ({ ...result, ratio: ratioOf(place) })),
      };
    }
    return measured;
  }

  async function toRow({ results, projects }: Measured, suite: string, index: number): Promise<Row> {
    const name = results[0]?.comparison ?? "";
    return { name, results, verdict: await gate?.compare({ suite, index, name }, projects) };
  }

  async function measureSuite(suite: string, measure: typeof attempt): Promise<MeasuredSuite> {
    const rows: Row[] = [];
    let title = "";
    for (let index = 0, count = 1; index < count; index++) {
      const measured = await measure(suite, index);
      ({ title, count } = measured);
      rows.push(await toRow(measured, suite, index));
    }
    return { suite, title, rows };
  }

  const isDoubtful = ({ results, verdict }: Row): boolean =>
    results.some(misses) || (verdict !== undefined && "isSlower" in verdict && verdict.isSlower);

  async function confirm({ suite, title, rows }: MeasuredSuite): Promise<MeasuredSuite> {
    const confirmed: Row[] = [];
    for (const [index, row] of rows.entries()) {
      confirmed.push(isDoubtful(row) ? await toRow(await attemptFairly(suite, index), suite, index) : row);
    }
    return { suite, title, rows: confirmed };
  }

  const beside = new Map<string, MeasuredSuite>();
  const left = gate ? suites.filter((suite) => !ALONE.test(suite)) : [];
  const measureLane = async (): Promise<void> => {
    for (let suite = left.shift(); suite !== undefined; suite = left.shift()) {
      beside.set(suite, await measureSuite(suite, attempt));
    }
  };
  await Promise.all(Array.from({ length: LANES }, measureLane));
  for (const suite of suites) {
    const measured = beside.get(suite);
    yield measured ? await confirm(measured) : await measureSuite(suite, attemptFairly);
  }
}
