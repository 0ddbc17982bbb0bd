import { expect, test } from "vitest";
import { sayOverHttp, sayOverStdio } from "../guard/any-message.ts";

const COUNT = Number(process.env["MESSAGES"] ?? 3_000);
const SEED = Number(process.env["SEED"] ?? 1);

test("the guard survives any messages over standard streams, without a fault", async () => {
  expect(COUNT).toBeGreaterThan(0);
  await sayOverStdio(COUNT, SEED);
});

test("the guard survives any messages over HTTP for all servers, without a fault", async () => {
  await sayOverHttp(COUNT, SEED);
});
