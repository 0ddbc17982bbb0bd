import { expect, test } from "vitest";
import { createGuard, GuardError } from "../src/index.ts";

test("a server that is not in the lock is not guarded", () => {
  const policy = { preset: "strict", rules: {}, ignores: [], servers: {} } as const;
  expect(() => createGuard({ lock: { lockVersion: 2, servers: [] }, server: "files", policy })).toThrow(GuardError);
});
