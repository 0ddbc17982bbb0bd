import { expect, test } from "vitest";
import { findInvisible } from "../src/judgement/index.ts";

test.each([
  ["שלום! \u200fabc\u200e (1)", []],
  ["price \u200e100\u200e שקל", []],
  ["مرحبا\u200f، C++\u200e", []],
  ["plain\u200e text", ["U+200E"]],
  ["plain\u200f text", ["U+200F"]],
  // Several marks in a row have no further effect.
  ["שלום\u200e\u200f\u200e\u200f", ["U+200E", "U+200F"]],
  [`${"a".repeat(100)}\u200e${"a".repeat(100)}שלום`, ["U+200E"]],
  ["שלום\u202e", ["U+202E"]],
])("of %j are %j", (text, found) => {
  expect([...findInvisible(text).keys()]).toEqual(found);
});
