import { expect, test } from "vitest";
import { ContentHashError } from "../src/index.ts";

test("the message of an error shows what no reader would see of the names in it", () => {
  const name = "a\n\u001b\u202e\u3164\u{e0100}é";
  expect(new ContentHashError("NOT_FOUND", `${name} does not exist`).message).toContain(
    "a\\u{a}\\u{1b}\\u{202e}\\u{3164}\\u{e0100}é",
  );
});
