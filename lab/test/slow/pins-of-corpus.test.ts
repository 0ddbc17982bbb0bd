import { existsSync } from "node:fs";
import { findingsBothWays } from "@agentprint/testing/lock/as-check";
import { describe, expect, test } from "vitest";
import { DUMPS, releasesOfServers } from "../dumped-releases.ts";

describe.skipIf(!existsSync(DUMPS))("pins and lock find the same (skipped where ../shared/mcp-dumps is absent)", () => {
  test("between any two releases of real servers", () => {
    const servers = releasesOfServers();
    let found = 0;
    for (const before of servers.flat())
      for (const after of servers.flat()) {
        const [both] = findingsBothWays({ server: before.answers }, { server: after.answers });
        expect(both?.pins, `${before.alias} → ${after.alias}`).toEqual(both?.check);
        found += both?.pins.length ?? 0;
      }
    expect(found).toBeGreaterThan(1000);
  });
});
