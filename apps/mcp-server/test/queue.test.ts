import { expect, test } from "vitest";
import { Queue } from "../src/queue.ts";

test("jobs run one after the other in order, even after one that fails", async () => {
  const queue = new Queue();
  const done: number[] = [];
  let running = 0;
  const works = [0, 1, 2, 3].map((nth) =>
    queue.run(async () => {
      expect(++running).toBe(1);
      await Promise.resolve();
      running--;
      done.push(nth);
      if (nth === 1) throw new Error("fails");
      return nth;
    }),
  );
  const results = await Promise.allSettled(works);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect(done).toEqual([0, 1, 2, 3]);
  expect(await queue.run(async () => "next")).toBe("next");
});

test("a job that is cancelled before its turn does not run, and delays no other job", async () => {
  const queue = new Queue();
  const done: string[] = [];
  const work = (name: string) => async () => void done.push(name);
  const aborting = new AbortController();
  const works = [
    queue.run(work("first")),
    queue.run(work("cancelled"), aborting.signal),
    queue.run(work("late"), AbortSignal.abort()),
    queue.run(work("last")),
  ];
  aborting.abort();
  const cancelled = { status: "rejected", reason: expect.objectContaining({ code: "CANCELLED" }) };
  expect(await Promise.allSettled(works)).toMatchObject([{ status: "fulfilled" }, cancelled, cancelled, {}]);
  expect(done).toEqual(["first", "last"]);
});

test("the event loop turns between two jobs, even if each ends without a turn", async () => {
  const queue = new Queue();
  const seen: (string | number)[] = [];
  const turn = (): void => {
    seen.push("turn");
    if (seen.length < 20) setImmediate(turn);
  };
  setImmediate(turn);
  await Promise.all([0, 1, 2].map((nth) => queue.run(async () => void seen.push(nth))));
  expect(seen.join(" ")).toMatch(/^0 turn.* 1 turn.* 2$/);
});
