import { expect, test } from "vitest";
import { EventQueue, type QueueEntry } from "../src/recorder/event-queue.ts";

const entry = (text: string) => ({ text }) as QueueEntry;

test("a text that is longer than a write is a write of its own", () => {
  const queue = new EventQueue(Number.POSITIVE_INFINITY);
  const long = entry("x".repeat(2 * 2 ** 20));
  queue.push(long);
  queue.push(entry("short"));
  expect(queue.batch()).toEqual([long]);
});
