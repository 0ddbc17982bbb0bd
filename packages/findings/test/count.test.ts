import { count } from "@agentprint/findings";
import { expect, test } from "vitest";

test.each([
  [0, "0 records"],
  [1, "1 record"],
  [2, "2 records"],
])("%d with a noun is %s", (number, text) => {
  expect(count(number, "record")).toBe(text);
});
