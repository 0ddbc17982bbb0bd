import { type PostgresServer, startPostgres } from "@agentprint/testing/postgres-server";
import { openTrailStore } from "@agentprint/trail-store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readEvents } from "../../src/index.ts";
import { collect, kindsOf, record, SECRET } from "../support.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ durable: false });
});
afterAll(() => server.stop());

async function eventsIn(url: string, session: string): Promise<string[]> {
  const trails = await openTrailStore(url);
  try {
    expect((await trails.verify()).ok).toBe(true);
    return kindsOf(await collect(readEvents(trails.read(session), { keys: [SECRET] })));
  } finally {
    await trails.close();
  }
}

test("a session is a chain in PostgreSQL", async () => {
  const store = await server.createDatabase("session");
  const recorder = await record({ store, mode: "before" });
  await recorder.record({ kind: "call", call: "c1", tool: "a\u0000\ud800" }).ready;
  await recorder.record({ kind: "result", call: "c1", outcome: "ok" }).ready;
  await recorder.close();
  expect(await eventsIn(store, recorder.sessionId)).toEqual(["session-start", "call", "result", "session-end"]);
});

test("a server that is restarted loses nothing of what is recorded meanwhile", async () => {
  const store = await server.createDatabase("restarted");
  const recorder = await record({ store, closeWithinMs: 60_000 });
  const receipts = [];
  const restarting = server.restart();
  let isBack = false;
  void restarting.then(() => {
    isBack = true;
  });
  for (let call = 0; !isBack || call < 100; call++) {
    receipts.push(recorder.record({ kind: "call", call: String(call) }));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await recorder.close();
  await Promise.all(receipts.map((receipt) => receipt.durable()));
  const kinds = await eventsIn(store, recorder.sessionId);
  expect(kinds.filter((kind) => kind === "call")).toHaveLength(receipts.length);
  expect(kinds).not.toContain("missing");
});
