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
  const started = Promise.allSettled(Array.from({ length: 8 }, () => starts.run({}, begin)));
  await setImmediate();
  expect(begun).toHaveLength(4);
  begun[2]?.();
  await setImmediate();
  expect(begun).toHaveLength(5);
  begun[0]?.();
  await setImmediate();
  // The sixth was not started; the seventh was started instead.
  expect(begun).toHaveLength(7);
  begun[1]?.();
  expect((await started).map(({ status }) => status)).toEqual(
    Array.from({ length: 8 }, (_, nth) => (nth === 5 ? "rejected" : "fulfilled")),
  );
  expect(begun).toHaveLength(8);
});

test("a silent process does not block another forever", async () => {
  const starts = new Starts();
  const silent = { outputChecked: new Promise<boolean>(() => undefined) } as PinnedServer;
  const all = Array.from({ length: 5 }, () => starts.run({}, async () => silent));
  expect(await Promise.all(all)).toHaveLength(5);
});

test("servers take turns, and one that waits for many processes does not block others", async () => {
  const starts = new Starts();
  const begun: { readonly server: number; readonly say: () => void }[] = [];
  const servers = Array.from({ length: 10 }, (_, nth) => ({ nth }));
  const run = (server: { readonly nth: number }): Promise<PinnedServer> =>
    starts.run(server, async () => {
      const outputChecked = new Promise<boolean>((resolve) => {
        begun.push({ server: server.nth, say: () => resolve(true) });
      });
      return { outputChecked } as PinnedServer;
    });
  const [busy, ...others] = servers as [{ nth: number }, ...{ nth: number }[]];
  const all = [...Array.from({ length: 20 }, () => run(busy)), ...others.flatMap((each) => [run(each), run(each)])];
  await setImmediate();
  expect(begun.map(({ server }) => server)).toEqual([0, 0, 0, 0]);
  for (let nth = 0; nth < 20; nth++) {
    begun[nth]?.say();
    await setImmediate();
    expect(begun).toHaveLength(nth + 5);
  }
  const round = servers.map(({ nth }) => nth);
  expect(begun.slice(4).map(({ server }) => server)).toEqual([...round, ...round]);
  for (let nth = 20; nth < all.length; nth++) {
    begun[nth]?.say();
    await setImmediate();
  }
  expect(await Promise.all(all)).toHaveLength(38);
});
