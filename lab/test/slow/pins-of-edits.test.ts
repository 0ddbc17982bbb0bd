import { existsSync } from "node:fs";
import { findingsBothWays } from "@agentprint/testing/lock/as-check";
import { describe, expect, test } from "vitest";
import { placeEdits } from "../../corpus/src/edits/place-edits.ts";
import { Random } from "../../corpus/src/random.ts";
import { SEED } from "../../corpus/src/results.ts";
import { DUMPS, releasesOfServers } from "../dumped-releases.ts";

describe.skipIf(!existsSync(DUMPS))("pins and lock find the same (skipped where ../shared/mcp-dumps is absent)", () => {
  test("after each hostile edit in the corpus", () => {
    // Some edits are spread over four releases.
    const servers = releasesOfServers().map((releases) => [...releases, ...releases, ...releases, ...releases]);
    const edits = placeEdits(servers, new Random(SEED));
    expect(edits.length).toBeGreaterThan(200);
    for (const { recipe, releases, place } of edits) {
      for (let stage = 1; stage <= recipe.stages; stage++) {
        const at = (index: number) => (index === 0 ? releases[0] : place(releases[index] ?? {}, index).answers) ?? {};
        for (const { check, pins } of findingsBothWays(at(stage - 1), at(stage)))
          expect(pins, recipe.what).toEqual(check);
      }
    }
  });
});
