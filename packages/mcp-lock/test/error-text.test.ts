import { expect, test } from "vitest";
import { McpLockError } from "../src/index.ts";

test("the message of an error shows invisible characters of names as escapes", () => {
  const name = "a\n\u001b\u202e\u3164\u{e0100}é";
  expect(new McpLockError("invalid-lock", `/${name}`, name).message).toContain(
    "a\\u{a}\\u{1b}\\u{202e}\\u{3164}\\u{e0100}é",
  );
});
