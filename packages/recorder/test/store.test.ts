import { join } from "node:path";
import { openTrailStore } from "@agentprint/trail-store";
import { expect, onTestFinished, test, vi } from "vitest";
import { readEvents } from "../src/index.ts";
import { MACHINE } from "../src/sink/machine.ts";
import { SESSIONS_TASK } from "../src/sink/session-list.ts";
import { collect, kindsOf, record, SECRET, temporaryFolder } from "./support.ts";

const NOBODY = 4_194_305;
const FIELDS = { type: "reflection", agent_id: "planner" } as const;

function database(): string {
  return `file:${join(temporaryFolder(), "trail.db")}`;
}

async function inStore<T>(
  url: string,
  use: (store: Awaited<ReturnType<typeof openTrailStore>>) => Promise<T>,
): Promise<T> {
  const store = await openTrailStore(url);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Lists a session as another process would, and adds records if `contents` is given. */
function listSession(url: string, session: string, listed: object, contents: readonly string[] = []): Promise<unknown> {
  return inStore(url, async (store) => {
    const content = JSON.stringify({ session, state: "open", ...listed });
    await store.append({ ...FIELDS, id: `${session}.open`, task_id: SESSIONS_TASK, content });
    for (const text of contents) await store.append({ ...FIELDS, task_id: session, content: text });
  });
}

test("a session is a chain in a database", async () => {
  const store = database();
  const recorder = await record({ store });
  recorder.record({ kind: "call", call: "c1" });
  recorder.think({ type: "plan", content: "Read." });
  await recorder.record({ kind: "result", call: "c1", outcome: "ok" }).durable();
  await recorder.close();
  await inStore(store, async (trails) => {
    expect((await trails.verify()).ok).toBe(true);
    const entries = await collect(readEvents(trails.read(recorder.sessionId), { keys: [SECRET] }));
    expect(kindsOf(entries)).toEqual(["session-start", "call", "text", "result", "session-end"]);
    const states = await collect(trails.read(SESSIONS_TASK));
    expect(states.map(({ content }) => JSON.parse(content).state)).toEqual(["open", "ended"]);
  });
});

test("two recorders on one database write a chain each", async () => {
  const store = database();
  const recorders = await Promise.all([record({ store }), record({ store })]);
  for (let call = 0; call < 50; call++) {
    for (const recorder of recorders) recorder.record({ kind: "call", call: `c${call}` });
  }
  await Promise.all(recorders.map((recorder) => recorder.close()));
  await inStore(store, async (trails) => {
    expect((await trails.verify()).ok).toBe(true);
    for (const { sessionId } of recorders) {
      const entries = await collect(readEvents(trails.read(sessionId), { keys: [SECRET] }));
      expect(entries.filter(({ is }) => is !== "event")).toEqual([]);
      expect(entries).toHaveLength(52);
    }
  });
});

test("a session without an end is reported at the next start, and once", async () => {
  const store = database();
  await listSession(store, "killed", { pid: NOBODY, machine: MACHINE }, ["one"]);
  await listSession(store, "running", { pid: process.ppid, machine: MACHINE }, ["one"]);
  await listSession(store, "elsewhere", { pid: 1, machine: "00000000" }, ["one"]);
  await listSession(store, "silent", { pid: NOBODY, machine: MACHINE });
  const head = await inStore(store, (trails) => trails.head("killed"));
  const next = await record({ store });
  expect(next.unended).toEqual([{ session: "killed", head: head?.hash, cut: 0 }]);
  const again = await record({ store });
  expect(again.unended).toEqual([]);
  await Promise.all([next.close(), again.close()]);
});

test.each(["a folder", "a database"])(
  "a session of this process in %s stays its own when the clock is set back or forward",
  async (place) => {
    const store = place === "a folder" ? temporaryFolder() : database();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 86_400_000 });
    onTestFinished(() => void vi.useRealTimers());
    const first = await record({ store });
    const second = await record({ store });
    vi.setSystemTime(Date.now() + 2 * 86_400_000);
    const third = await record({ store });
    for (const recorder of [first, second, third]) {
      await recorder.record({ kind: "call", call: "c1" }).durable();
      await recorder.close();
    }
  },
);

test("a session of another machine that recorded nothing for a day is reported", async () => {
  const store = database();
  await inStore(store, async (trails) => {
    const content = JSON.stringify({ session: "old", state: "open", pid: 1, machine: "00000000" });
    await trails.append({ ...FIELDS, task_id: SESSIONS_TASK, content, timestamp: "2020-01-01T00:00:00.000Z" });
    await trails.append({ ...FIELDS, task_id: "old", content: "x", timestamp: "2020-01-01T00:00:00.000Z" });
    await trails.append({ ...FIELDS, task_id: "old", content: "x", timestamp: "not a time" });
  });
  const next = await record({ store });
  expect(next.unended).toMatchObject([{ session: "old" }]);
  await next.close();
});

test("a list of sessions that someone else wrote into is no danger", async () => {
  const store = database();
  await inStore(store, async (trails) => {
    for (const content of [
      "",
      "null",
      "[]",
      '"x"',
      "{}",
      '{"session":"","state":"open","pid":1,"machine":"x"}',
      '{"session":"x","state":"open","pid":"1"}',
      '{"session":"x","state":"open","pid":1}',
    ]) {
      await trails.append({ ...FIELDS, task_id: SESSIONS_TASK, content });
    }
  });
  const recorder = await record({ store });
  expect(recorder.unended).toEqual([]);
  await recorder.close();
});

test("a session id is used once", async () => {
  const store = database();
  const recorder = await record({ store, sessionId: "s1" });
  await recorder.close();
  await expect(record({ store, sessionId: "s1" })).rejects.toMatchObject({ code: "session-exists", path: "sessionId" });
});

test("of two recorders of one process that begin one session at once, one gets it", async () => {
  const store = database();
  const both = await Promise.allSettled([record({ store, sessionId: "s1" }), record({ store, sessionId: "s1" })]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  for (const result of both) {
    if (result.status === "fulfilled") await result.value.close();
    else expect(result.reason).toMatchObject({ code: "session-exists" });
  }
});

test("a session that was listed and never began, because its process was killed, has its name", async () => {
  const store = database();
  await listSession(store, "s1", { pid: NOBODY, machine: MACHINE });
  await expect(record({ store, sessionId: "s1" })).rejects.toMatchObject({ code: "session-exists" });
});

test("a writer that was silent acknowledges nothing once another process took its session over", async () => {
  const store = database();
  const errors: unknown[] = [];
  const silent = await record({ store, mode: "before", onError: (error) => errors.push(error) });
  await silent.record({ kind: "call", call: "c1" }).ready;
  await inStore(store, async (trails) => {
    const content = JSON.stringify({ session: silent.sessionId, state: "open", pid: NOBODY, machine: MACHINE });
    await trails.append({ ...FIELDS, id: `${silent.sessionId}.open1`, task_id: SESSIONS_TASK, content });
  });
  // The process that took over the session was also killed, and a third one reports the session.
  const next = await record({ store });
  expect(next.unended).toMatchObject([{ session: silent.sessionId }]);
  await next.close();
  const now = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 60_000);
  onTestFinished(() => now.mockRestore());
  await expect(silent.record({ kind: "call", call: "c2" }).ready).rejects.toMatchObject({ code: "lost" });
  await expect(silent.close()).rejects.toMatchObject({ code: "taken-over" });
  expect(errors).toEqual([expect.objectContaining({ code: "taken-over" })]);
});

test("a writer lists its session again every six hours, and acknowledges records as before", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const store = database();
  const recorder = await record({ store, mode: "before" });
  const now = vi.spyOn(Date, "now");
  onTestFinished(() => now.mockRestore());
  const begun = Date.now();
  await inStore(store, async (trails) => {
    for (const turn of [1, 2]) {
      vi.advanceTimersByTime(6 * 3_600_000);
      const listed = () => trails.get(SESSIONS_TASK, `${recorder.sessionId}.open${turn}`);
      await expect.poll(listed).toMatchObject({ content: expect.stringContaining('"state":"open"') });
      // This is after the last check of the list.
      now.mockReturnValue(begun + turn * 60_000);
      await recorder.record({ kind: "call", call: `c${turn}` }).ready;
    }
  });
  await recorder.close();
  expect(recorder.lost).toBe(0);
});

test("a session that the store refuses to list is unavailable, and its name is not taken", async () => {
  const store = database();
  await expect(record({ store, sessionId: "s1", agentId: "\ud800" })).rejects.toMatchObject({ code: "unavailable" });
  const recorder = await record({ store, sessionId: "s1" });
  await recorder.close();
});

test("a database that cannot be opened is unavailable, with the cause", async () => {
  const store = `file:${join(temporaryFolder(), "no", "folder", "trail.db")}`;
  await expect(record({ store })).rejects.toMatchObject({ code: "unavailable", cause: { code: "unavailable" } });
});
