import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { Starts } from "../src/http/starts.ts";
import type { PinnedServer } from "../src/pinned-server.ts";

test("four processes start at a time, and the next one when one of them has said something or was not started", async () => {
  const starts = new Starts();
  const begun: (() => void)[] = [];
  const begin = (): Promise<PinnedServer> => {
    if (begun.length === 5) {
      begun.push(() => undefined);
      return Promise.reject(new Error("not started"));
    }
    const outputChecked = new Promise<boolean>((resolve) => void begun.push(() => resolve(true)));
    return Promise.resolve({ outputChecked } as PinnedServer);
  };
  const started = Promise.allSettled(Array.from({ length: 8 }, () => starts.run(begin)));
  await setImmediate();
  expect(begun).toHaveLength(4);
  begun[2]?.();
  await setImmediate();
  expect(begun).toHaveLength(5);
  begun[0]?.();
  await setImmediate();
  // The sixth was not started, and the seventh was begun in its place.
  expect(begun).toHaveLength(7);
  begun[1]?.();
  expect((await started).map(({ status }) => status)).toEqual(
    Array.from({ length: 8 }, (_, nth) => (nth === 5 ? "rejected" : "fulfilled")),
  );
  expect(begun).toHaveLength(8);
});

test("a process that says nothing keeps no other one for ever", async () => {
  const starts = new Starts();
  const silent = { outputChecked: new Promise<boolean>(() => undefined) } as PinnedServer;
  const all = Array.from({ length: 5 }, () => starts.run(async () => silent));
  expect(await Promise.all(all)).toHaveLength(5);
});
