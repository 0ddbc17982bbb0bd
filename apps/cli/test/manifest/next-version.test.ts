import { diffManifests, parseManifest } from "@agentprint/manifest";
import { expect, test } from "vitest";
import { nextVersion } from "../../src/manifest/next-version.ts";

const MANIFEST = {
  schema_version: "1.0",
  agent_version: "1.0.0",
  tools: [],
  permission_scopes: [{ id: "a:b", label_i18n_key: "l", sensitivity: "low" }],
  capability_flags: { supports_voice: true },
} as const;

const NEXT = {
  major: { ...MANIFEST, capability_flags: {} },
  minor: { ...MANIFEST, capability_flags: { supports_voice: true, supports_streaming: true } },
  patch: { ...MANIFEST, capability_flags: { supports_voice: true, supports_streaming: false } },
  same: MANIFEST,
} as const;

test.each([
  ["1.2.3", "major", "2.0.0"],
  ["1.2.3", "minor", "1.3.0"],
  ["1.2.3", "patch", "1.2.4"],
  ["1.2.3+build.5", "patch", "1.2.4"],
  ["1.2.3-rc.1", "same", "1.2.3-rc.1"],
  ["999999999999999999999.0.0", "major", "1000000000000000000000.0.0"],
  ["1.9007199254740993.0", "minor", "1.9007199254740994.0"],
  ["1.0.1000000000000000000000", "patch", "1.0.1000000000000000000001"],
] as const)("after %s comes, with a change that is %s, %s", (version, change, next) => {
  expect(parseManifest({ ...MANIFEST, agent_version: version }).ok).toBe(true);
  expect(nextVersion(version, diffManifests(MANIFEST, NEXT[change]))).toBe(next);
});
