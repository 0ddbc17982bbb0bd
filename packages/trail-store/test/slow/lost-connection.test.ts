import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { postgresDatabases } from "@agentprint/testing/trail/backends";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTrailStore } from "../../src/index.ts";

const databases = postgresDatabases();
const RESET = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
const LOSSES = [
  { how: "reset", error: RESET },
  { how: "closed", error: undefined },
];

/** This process's connections, and the number of answers that they still deliver before one is lost. */
const sockets: Socket[] = [];
let answers = Number.POSITIVE_INFINITY;
let loss: Error | undefined;
const watch = (message: unknown): void => {
  const { socket } = message as { socket: Socket };
  sockets.push(socket);
  socket.on("data", () => {
    if (--answers === 0) socket.destroy(loss);
  });
};

beforeAll(async () => {
  await databases.start();
  subscribe("net.client.socket", watch);
});
afterAll(async () => {
  unsubscribe("net.client.socket", watch);
  await databases.stop();
});

test.each(LOSSES)("PostgreSQL's connection may be $how between the queries of a transaction", async ({ error }) => {
  let attempts = 0;
  const store = await openTrailStore(await databases.create(), {
    now: () => {
      if (attempts++ === 0) for (const socket of sockets) socket.destroy(error);
      return new Date(0);
    },
  });
  const record = await store.append({ type: "plan", task_id: "t", agent_id: "a", content: "c" });
  expect(attempts).toBe(2);
  expect(await store.list("t")).toEqual({ records: [record], next: null });
  await store.close();
});

test.each(LOSSES)(
  "PostgreSQL's connection may be $how after any answer, also while tables are made",
  async ({ error }) => {
    loss = error;
    let after = 0;
    let lost = true;
    while (lost) {
      const url = await databases.create();
      answers = ++after;
      const store = await openTrailStore(url);
      const record = await store.append({ type: "plan", task_id: "t", agent_id: "a", content: "c" });
      expect(await store.list("t")).toEqual({ records: [record], next: null });
      await store.close();
      lost = answers <= 0;
      answers = Number.POSITIVE_INFINITY;
    }
    expect(after).toBeGreaterThan(20);
  },
);
