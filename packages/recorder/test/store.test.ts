import { join } from "node:path";
import { openTrailStore } from "@agentprint/trail-store";
import { expect, test } from "vitest";
import { readEvents } from "../src/index.ts";
import { MACHINE } from "../src/sink/machine.ts";
import { SESSIONS_TASK } from "../src/sink/store-sink.ts";
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

/** Lists a session as another process would, and gives it records where `contents` are given. */
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

test("a session without an end is told at the next start, and once", async () => {
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

test("a session of another machine that recorded nothing for a day is told", async () => {
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

test("a list of sessions that somebody else wrote into is no danger", async () => {
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

test("a database that cannot be opened is unavailable, with the cause", async () => {
  const store = `file:${join(temporaryFolder(), "no", "folder", "trail.db")}`;
  await expect(record({ store })).rejects.toMatchObject({ code: "unavailable", cause: { code: "unavailable" } });
});
