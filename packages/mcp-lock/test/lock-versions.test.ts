import { expect, test } from "vitest";
import { parseLock } from "../src/index.ts";

const NEWER = ": a newer agentprint wrote it; read it with that version, or a newer one";

test.each([
  [3, NEWER],
  [0, ""],
  ["2", ""],
])("a lock of version %j is refused, and where a newer version wrote it, that is said", (lockVersion, hint) => {
  const found = JSON.stringify(lockVersion);
  expect(() => parseLock(JSON.stringify({ lockVersion, servers: [] }))).toThrow(
    expect.objectContaining({
      code: "unsupported-lock-version",
      path: "/lockVersion",
      message: expect.stringMatching(new RegExp(`^Expected lock version 1 or 2, found ${found}${hint}( \\(|$)`)),
    }),
  );
});
