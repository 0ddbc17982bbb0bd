const MAX_ROWS = 3;
const MAX_DAYS = 14;
const MS_PER_DAY = 86_400_000;

/** A test that passed only on a retry. */
export interface FlakyTest {
  /** The name that CI prints after `FLAKY`, such as `[packages/trail] test/chain.test.ts > a chain > is whole`. */
  readonly test: string;
  /** The day on which it was entered, such as `2026-11-28`. */
  readonly date: string;
  readonly cause: string;
}

/**
 * Reads `.ci/flaky.txt`: one test per line, with three fields separated by tabs; empty lines and lines that begin with
 * `#` are ignored.
 *
 * @throws Error that names the malformed line.
 */
export function parseFlakyList(text: string): FlakyTest[] {
  return text.split(/\r?\n/u).flatMap((line, index) => {
    if (line.trim() === "" || line.startsWith("#")) return [];
    const [test = "", date = "", cause = "", ...more] = line.split("\t").map((member) => member.trim());
    if (test === "" || !isDay(date) || cause === "" || more.length > 0) {
      throw new Error(
        `line ${index + 1}: expected a test, a day such as 2026-11-28 and a cause, with tabs between: ${line}`,
      );
    }
    return [{ test, date, cause }];
  });
}

/** Returns what is wrong with a list on the day of `now`, in milliseconds; empty if nothing is. */
export function problemsOf(list: readonly FlakyTest[], now: number): string[] {
  const days = ({ date }: FlakyTest): number => Math.floor((now - Date.parse(date)) / MS_PER_DAY);
  return [
    ...(list.length > MAX_ROWS ? [`expected at most ${MAX_ROWS} flaky tests, received ${list.length}: fix one`] : []),
    ...list
      .filter((row) => days(row) > MAX_DAYS)
      .map((row) => `expected a row at most ${MAX_DAYS} days old, received ${days(row)}: fix ${row.test}`),
    ...list
      .filter((row) => days(row) < 0)
      .map(({ test, date }) => `${test}: expected a day in the past, received ${date}`),
    ...list
      .filter(({ test }, index) => list.findIndex((row) => row.test === test) < index)
      .map(({ test }) => `${test}: expected one row, received two`),
  ];
}

/** Returns whether a text is a real calendar date, unlike `2026-02-30`. */
function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/u.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
