import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRegistryClient, type RegistryClientOptions, type RegistryEvent, type Waiting } from "../src/index.ts";

type Fetch = NonNullable<RegistryClientOptions["fetch"]>;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MINUTE = 60_000;
const HASH = "a".repeat(64);

const frame = (event: string, id: string, news: object): string =>
  `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(news)}\n\n`;
const start = (version: number): string =>
  frame("start", `demo=${version}`, { versions: [{ agent_id: "demo", capability_manifest_version: version }] });
const version = (number: number): string =>
  frame("version", `demo=${number}`, {
    agent_id: "demo",
    capability_manifest_version: number,
    capability_manifest_hash: HASH,
    breaking_changes: [],
    weakens_consent: false,
    created_at: "2026-01-01T00:00:00.000Z",
  });
const streamOf = (text: string): Response => new Response(text, { headers: { "content-type": "text/event-stream" } });

/** Reads a client's events until `end` is called. */
function hear(fetch: Fetch, options: Partial<RegistryClientOptions> = {}) {
  const ending = new AbortController();
  const events: RegistryEvent[] = [];
  const waits: Waiting[] = [];
  const client = createRegistryClient({ url: "http://127.0.0.1:1", fetch, signal: ending.signal, ...options });
  const done = (async () => {
    for await (const event of client.hear(["demo"], { onWait: (waiting) => void waits.push(waiting) })) {
      events.push(event);
    }
  })();
  return { events, waits, done, end: () => ending.abort() };
}

const down: Fetch = async () => Promise.reject(new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") }));

test.each<[string, Fetch]>([
  ["does not answer", down],
  ["is behind a proxy that says 502", async () => new Response("<html>", { status: 502 })],
  ["is behind a proxy that fails", async () => new Response("<html>", { status: 500 })],
  ["asks to come back later", async () => new Response("{}", { status: 429, headers: { "retry-after": "7200" } })],
  [
    "accepts connections and answers nothing",
    (_url, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
      }),
  ],
])(
  "a registry that %s for hours is waited for, with growing pauses, and the reader is told each minute",
  async (_name, broken) => {
    let isDown = false;
    const tries: number[] = [];
    const asked: (string | null)[] = [];
    const { events, waits, done, end } = hear(async (url, init) => {
      tries.push(Date.now());
      const last = new Headers(init.headers).get("last-event-id");
      asked.push(last);
      if (isDown) return broken(url, init);
      if (last === null) return streamOf(start(1));
      return streamOf(last === "demo=1" ? start(1) + version(2) : start(2));
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(events.map(({ event }) => event)).toEqual(["start"]);
    isDown = true;
    await vi.advanceTimersByTimeAsync(180 * MINUTE);
    expect(waits[0]).toMatchObject({ waitedMs: 0, reason: expect.any(String) });
    for (let minute = 1; minute <= 100; minute++) {
      expect(
        waits.some(({ waitedMs }) => Math.abs(waitedMs - minute * MINUTE) <= 31_000),
        `minute ${minute}`,
      ).toBe(true);
    }
    const pauses = tries.slice(2).map((at, index) => at - (tries[index + 1] ?? at));
    expect(Math.max(...pauses.slice(-3))).toBeGreaterThanOrEqual(30_000);
    isDown = false;
    await vi.advanceTimersByTimeAsync(61 * MINUTE);
    // It continues after the last event, and each version comes once.
    expect(new Set(asked.slice(1, 4))).toEqual(new Set(["demo=1"]));
    expect(events.map(({ event, id }) => `${event} ${id}`)).toEqual(["start demo=1", "version demo=2"]);
    expect(waits.at(-1)?.reason).toBeUndefined();
    end();
    await done;
  },
);

test("a stream that has not begun waits as well, or tries as often as the client was told to", async () => {
  let isDown = true;
  const { events, waits, done, end } = hear(async (url, init) => (isDown ? down(url, init) : streamOf(start(1))));
  await vi.advanceTimersByTimeAsync(30 * MINUTE);
  expect([events, waits.length > 20]).toEqual([[], true]);
  isDown = false;
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  expect(events).toHaveLength(1);
  end();
  await done;
  const once = hear(down, { retries: 1 });
  const ended = expect(once.done).rejects.toMatchObject({ code: "unreachable" });
  await vi.advanceTimersByTimeAsync(MINUTE);
  await ended;
});

test("what no waiting mends ends the stream, and so does the signal in the middle of a pause", async () => {
  const refused = hear(
    async () =>
      new Response('{"type":"x","title":"x","status":400,"detail":"no","code":"INVALID_QUERY"}', { status: 400 }),
  );
  await expect(refused.done).rejects.toMatchObject({ code: "refused", status: 400 });
  const waiting = hear(down);
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  waiting.end();
  await waiting.done;
});
