import { expect, test } from "vitest";
import { parseLock } from "../src/index.ts";

const NEWER = "a newer agentprint wrote it; read it with that version, or a newer one";
const ANEW = "pin the servers again with `agentprint pin`";

test.each([
  [3, NEWER],
  [1, ANEW],
  [0, ANEW],
  ["2", ANEW],
])("a lock of version %j is refused with the step that helps", (lockVersion, fix) => {
  const found = JSON.stringify(lockVersion);
  expect(() => parseLock(JSON.stringify({ lockVersion, servers: [] }))).toThrow(
    expect.objectContaining({
      code: "unsupported-lock-version",
      path: "/lockVersion",
      reason: `Expected lock version 2, found ${found}: ${fix}`,
    }),
  );
});
