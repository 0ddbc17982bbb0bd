import type { LockedArtifact } from "@agentprint/launch";
import { expect, test } from "vitest";
import { unpinnedPackages } from "../src/lock/index.ts";

const LOCKED: readonly LockedArtifact[] = [
  {
    pointer: "/args/1",
    kind: "npm",
    name: "one",
    version: "1.0.0",
    integrity: "sha512-one",
    dependencies: { "dep@1.0.0": "sha512-dep", "more@1.0.0": "sha512-more" },
  },
  { pointer: "/args/3", kind: "npm", name: "two", version: "2.0.0", integrity: "sha512-two sha1-two" },
];

test("installed packages are those of the lock: its artifacts and what is installed with them", () => {
  expect(unpinnedPackages(LOCKED, {})).toEqual([]);
  const installed = { "one@1.0.0": "sha512-one", "dep@1.0.0": "sha512-dep", "two@2.0.0": "sha512-two" };
  expect(unpinnedPackages(LOCKED, installed)).toEqual([]);
});

test.each([
  [{ "one@1.0.0": "sha512-other" }, { before: "one@1.0.0 sha512-one", after: "one@1.0.0 sha512-other" }],
  [{ "dep@1.0.0": "sha512-other" }, { before: "dep@1.0.0 sha512-dep", after: "dep@1.0.0 sha512-other" }],
  [{ "dep@1.1.0": "sha512-dep" }, { after: "dep@1.1.0 sha512-dep" }],
  [{ "__proto__@1.0.0": "sha512-one" }, { after: "__proto__@1.0.0 sha512-one" }],
  [{ "two@2.0.0": "sha256-two" }, { before: "two@2.0.0 sha512-two sha1-two", after: "two@2.0.0 sha256-two" }],
])("%j is not pinned", (installed, change) => {
  expect(unpinnedPackages(LOCKED, installed)).toEqual([{ pointer: "/args/1", ...change }]);
});

test("where the lock has no integrity, nothing is pinned", () => {
  const [{ integrity: _, ...bare } = LOCKED[0] as LockedArtifact] = LOCKED;
  expect(unpinnedPackages([bare], { "one@1.0.0": "sha512-one" })).toHaveLength(1);
  expect(unpinnedPackages([], { "one@1.0.0": "sha512-one" })).toEqual([{ pointer: "", after: "one@1.0.0 sha512-one" }]);
});
