import { expect, test } from "vitest";
import { CallRate } from "../src/calls/call-state.ts";

test("a call counts for one minute, to the millisecond", () => {
  const rate = new CallRate();
  expect(rate.take("read", 1, 0)).toBe(true);
  expect(rate.take("read", 1, 59_999)).toBe(false);
  expect(rate.take("read", 1, 60_000)).toBe(true);
  expect(rate.take("read", 1, 60_001)).toBe(false);
});
