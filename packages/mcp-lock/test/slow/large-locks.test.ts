import { answersOf } from "@agentprint/testing/lock/offer";
import { expect, test } from "vitest";
import { createLock, formatLock, parseLock } from "../../src/index.ts";

test("a lock of ten thousand tools reads back as it was", () => {
  const tools = Array.from({ length: 10_000 }, (_, index) => ({
    name: `tool-${index}`,
    inputSchema: { type: "object" },
  }));
  const many = createLock({ many: answersOf(tools) });
  expect(parseLock(formatLock(many))).toEqual(many);
});

test("what is written can be read, up to the last byte of UTF-8", () => {
  const textOf = (x: string): string => formatLock(createLock({ s: answersOf([{ name: "wide", x }]) }));
  const room = 64 * 1024 * 1024 - textOf("").length;
  const longest = "\u6f22".repeat(Math.floor(room / 3)) + "x".repeat(room % 3);
  expect(parseLock(textOf(longest)).servers).toHaveLength(1);
  expect(() => textOf(`${longest}x`)).toThrow(expect.objectContaining({ code: "too-large" }));
});
