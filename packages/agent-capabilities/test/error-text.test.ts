import { expect, test } from "vitest";
import { CapabilityError } from "../src/index.ts";

test("the message of an error shows invisible characters as escapes", () => {
  const name = "a\n\u001b\u202e\u3164\u{e0100}é";
  expect(new CapabilityError("hook-failed", `hook ${name} failed`).message).toContain(
    "a\\u{a}\\u{1b}\\u{202e}\\u{3164}\\u{e0100}é",
  );
});
