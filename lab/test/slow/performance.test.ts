import { expect, test } from "vitest";
import { drawPlot, THEMES } from "../../performance/draw.ts";
import { type Line, measurePlot, type Plot } from "../../performance/measure-line.ts";

/** The time is long enough for a clock that counts processor time in ticks. */
const SLICE_NS = 2e7;
const sumTo = (size: number): number => (size * (size + 1)) / 2;
const line = (name: string, job: (size: number) => unknown, rest: Partial<Line> = {}): Line => ({
  name,
  make: (size) => () => job(size),
  ...rest,
});
const plot = (...lines: Line[]): Plot => ({
  name: "sum",
  title: "Sum",
  x: "numbers",
  unit: "number",
  sizes: [10, 100, 1000],
  lines,
});

test("a line has a point for each size, up to its largest and before the first at which it fails", async () => {
  const failing = (size: number): number => {
    if (size === 100) throw new RangeError("too deep");
    return sumTo(size);
  };
  const measured = await measurePlot(
    plot(line("all", sumTo), line("some", sumTo, { most: 100 }), line("failing", failing)),
    SLICE_NS,
  );
  expect(measured.map(({ points }) => points.map(([size]) => size))).toEqual([[10, 100, 1000], [10, 100], [10]]);
  for (const [, nanoseconds] of measured.flatMap(({ points }) => points)) expect(nanoseconds).toBeGreaterThan(0);
});

test("a different output is an error, but not at a limit", async () => {
  await expect(
    measurePlot(
      plot(
        line("sum", sumTo),
        line("zero", () => 0),
      ),
    ),
  ).rejects.toThrow("zero has a different output");
  await expect(
    measurePlot(
      plot(
        line("sum", sumTo),
        line("zero", () => 0, { isLimit: true }),
      ),
    ),
  ).resolves.toHaveLength(2);
});

test.each(THEMES)("a picture shows the lines, the axes and the machine: $name", (theme) => {
  const points = [
    [10, 5],
    [1000, 50],
  ] as const;
  const svg = drawPlot(plot(), [{ name: "a < b", points }], "a machine", theme);
  expect(svg).toContain(`fill="${theme.background}"`);
  expect(svg).toContain(">a machine<");
  expect(svg).toContain(">a &lt; b<");
  expect(svg).toContain(">1 k<");
  expect(svg.match(/<circle/g)).toHaveLength(2);
});
