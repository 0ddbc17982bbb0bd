import { expect, test } from "vitest";
import { sayOverHttp, sayOverStdio } from "../guard/any-message.ts";

const COUNT = Number(process.env["MESSAGES"] ?? 10_000);
const SEED = Number(process.env["SEED"] ?? 1);

test("whatever a client and a server say over standard streams, the guard goes on, and nothing of it is a fault", async () => {
  expect(COUNT).toBeGreaterThan(0);
  await sayOverStdio(COUNT, SEED);
});

test("whatever clients and servers say over HTTP, the guard goes on for all servers, and nothing of it is a fault", async () => {
  await sayOverHttp(COUNT, SEED);
});
