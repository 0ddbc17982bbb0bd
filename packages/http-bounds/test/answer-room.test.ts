import { expect, test } from "vitest";
import { AnswerRoom } from "../src/index.ts";

test("takes room before an answer is made, changes it, and gives it back once", () => {
  const room = new AnswerRoom(100);
  const first = room.take(60);
  expect(room.take(41)).toBeUndefined();
  const second = room.take(40);
  expect(first?.resize(61)).toBe(false);
  expect(first?.resize(10)).toBe(true);
  expect(second?.resize(90)).toBe(true);
  first?.free();
  first?.free();
  expect(first?.resize(1)).toBe(false);
  expect(room.take(10)).toBeDefined();
  expect(room.take(1)).toBeUndefined();
});

test("has 128 MiB by default", () => {
  const room = new AnswerRoom();
  expect(room.take(128 * 1024 * 1024)).toBeDefined();
  expect(room.take(1)).toBeUndefined();
});
