import { expect, test } from "vitest";
import { reviewText } from "../src/judgement/index.ts";

test("has at most as many bytes of UTF-8 as are allowed, the final line feed included", () => {
  const value = { name: "\u6f22\u5b57", list: ["\u{1f600}", 1], none: {} };
  const text = reviewText(value, 1000) ?? "";
  const bytes = new TextEncoder().encode(text).length;
  expect(bytes).toBeGreaterThan(text.length);
  expect(JSON.parse(text)).toEqual(value);
  expect(reviewText(value, bytes)).toBe(text);
  for (const less of [bytes - 1, text.length, 1]) expect(reviewText(value, less)).toBeUndefined();
});
