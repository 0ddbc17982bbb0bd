import { CanonicalJsonError, parseJson } from "@agentprint/canonical-json";
import { expect, test } from "vitest";

test("the example of parseJson", () => {
  expect(parseJson('{"tools":["read","write"]}')).toEqual({ tools: ["read", "write"] });
  try {
    parseJson('{\n  "tools": {"read": 1, "read": 2}\n}');
    expect.unreachable();
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    expect(`${error.code} ${error.line} ${error.column} ${error.path}`).toBe("duplicate-key 2 24 /tools/read");
  }
});
