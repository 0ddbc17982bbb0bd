import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTrailStore } from "../src/index.ts";
import { collect, postgresDatabases } from "./backends.ts";

const databases = postgresDatabases();
const sockets: Socket[] = [];
const remember = (message: unknown): void => {
  sockets.push((message as { socket: Socket }).socket);
};

beforeAll(async () => {
  await databases.start();
  subscribe("net.client.socket", remember);
});
afterAll(async () => {
  unsubscribe("net.client.socket", remember);
  await databases.stop();
});

it.each([
  { how: "reset", error: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }) },
  { how: "closed", error: undefined },
])("PostgreSQL's connection may be $how in a transaction, which is then tried again", async ({ error }) => {
  let losses = 0;
  const store = await openTrailStore(await databases.create(), {
    now: () => {
      // Called between the queries of a transaction.
      if (losses++ === 0) for (const socket of sockets) socket.destroy(error);
      return new Date(0);
    },
  });
  const record = await store.append({ type: "plan", task_id: "t", agent_id: "a", content: "c" });
  expect(losses).toBe(2);
  expect(await collect(store.read("t"))).toEqual([record]);
  await store.close();
});
