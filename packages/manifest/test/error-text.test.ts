import { expect, test } from "vitest";
import { ManifestError } from "../src/index.ts";

test("the message of an error escapes the characters of a name that readers cannot see", () => {
  const name = "a\n\u001b\u202e\u3164\u{e0100}é";
  expect(new ManifestError("UNKNOWN_TOOL", `/tools/${name}`, "no such tool").message).toContain(
    "a\\u{a}\\u{1b}\\u{202e}\\u{3164}\\u{e0100}é",
  );
});
