import fc from "fast-check";
import { expect, test } from "vitest";
import type { Slowdown } from "../../../bench/gate/slices.ts";
import { judge, MOST_PROCESSES, SLOWER } from "../../../bench/gate/verdict.ts";

const figures = (min: number, max: number): fc.Arbitrary<Slowdown> => {
  const figure = fc.double({ min, max, noNaN: true });
  return fc.record({ steady: figure, clock: figure });
};
const processes = (figure: fc.Arbitrary<Slowdown>, count = MOST_PROCESSES): fc.Arbitrary<Slowdown[]> =>
  fc.array(figure, { minLength: count, maxLength: count });

/** Returns the first verdict while processes report one after the other. */
function verdictOf(measured: readonly Slowdown[], allowed?: number) {
  for (let count = 0; count <= measured.length; count++) {
    const verdict = judge(measured.slice(0, count), allowed);
    if (verdict) return verdict;
  }
  throw new Error("no verdict");
}

test("eleven processes always give a verdict, and fewer never that a row is slower", () => {
  fc.assert(
    fc.property(processes(figures(0.2, 5)), (measured) => {
      const verdict = verdictOf(measured);
      if (verdict.isSlower) expect(verdict.processes).toBe(MOST_PROCESSES);
      expect(judge(measured)).toBeDefined();
    }),
  );
});

test("what every process sees slower by more than a tenth fails, whatever the clock says", () => {
  fc.assert(
    fc.property(processes(figures(1.101, 3)), fc.double({ min: 0.3, max: 3, noNaN: true }), (measured, clock) => {
      const verdict = verdictOf(measured.map(({ steady }) => ({ steady, clock })));
      expect(verdict).toMatchObject({ isSlower: true, processes: MOST_PROCESSES });
    }),
  );
});

test("what waits longer in every process fails", () => {
  fc.assert(
    fc.property(processes(figures(1.101, 3)), (measured) => {
      expect(verdictOf(measured.map(({ clock }) => ({ steady: 1, clock }))).isSlower).toBe(true);
    }),
  );
});

test("a clock that one process does not see slower fails nothing", () => {
  fc.assert(
    fc.property(processes(figures(1.2, 9), MOST_PROCESSES - 1), fc.nat({ max: 10 }), (measured, place) => {
      const clocks = measured.map(({ clock }) => clock).toSpliced(place, 0, 1);
      expect(verdictOf(clocks.map((clock) => ({ steady: 1, clock }))).isSlower).toBe(false);
    }),
  );
});

test("fewer than half of the processes cannot make a row slower", () => {
  fc.assert(
    fc.property(
      processes(figures(0.9, 1.05), 6),
      processes(figures(2, 9), 5),
      fc.array(fc.nat(), { minLength: 11, maxLength: 11 }),
      (equal, slow, order) => {
        const mixed = [...equal, ...slow].map((figure, place) => [order[place] ?? 0, figure] as const);
        mixed.sort(([left], [right]) => left - right);
        expect(verdictOf(mixed.map(([, figure]) => figure)).isSlower).toBe(false);
      },
    ),
  );
});

test("two processes are enough for what is equal in both", () => {
  fc.assert(
    fc.property(processes(figures(0.8, 1.02), 2), (measured) => {
      expect(judge(measured.slice(0, 1))).toBeUndefined();
      expect(judge(measured)).toMatchObject({ isSlower: false, processes: 2 });
    }),
  );
});

test("an allowance moves the limit", () => {
  const measured = Array.from({ length: MOST_PROCESSES }, () => ({ steady: 1.25, clock: 1.25 }));
  expect(SLOWER).toBe(1.1);
  expect(judge(measured)?.isSlower).toBe(true);
  expect(judge(measured, 1.3)?.isSlower).toBe(false);
  expect(judge(measured, 1.25)?.isSlower).toBe(true);
});
