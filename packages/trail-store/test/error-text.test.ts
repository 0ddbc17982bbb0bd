import { expect, test } from "vitest";
import { TrailStoreError } from "../src/index.ts";

test("the message of an error shows invisible characters of the names in it", () => {
  const name = "a\n\u001b\u202e\u3164\u{e0100}é";
  expect(new TrailStoreError("unavailable", `no folder ${name}`).message).toContain(
    "a\\u{a}\\u{1b}\\u{202e}\\u{3164}\\u{e0100}é",
  );
});
