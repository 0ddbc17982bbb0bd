import type { JsonObject } from "@agentprint/canonical-json";
import { findingsBothWays } from "@agentprint/testing/lock/as-check";
import { answersOf } from "@agentprint/testing/lock/offer";
import { expect, test } from "vitest";
import { toolsOf, UPGRADES } from "../../bench/real-tools.ts";

test("pins and lock find the same about the servers that are installed here, there and back, next to another server", async () => {
  const tools = new Map<string, JsonObject[]>();
  for (const alias of new Set(UPGRADES.flat())) {
    tools.set(alias, JSON.parse(JSON.stringify([...(await toolsOf(alias)).values()])));
  }
  const answers = (alias: string) => answersOf(tools.get(alias) ?? []);
  const found: string[] = [];
  for (const [old, young] of UPGRADES)
    for (const [before, after] of [
      [old, young],
      [young, old],
    ] as const) {
      const both = findingsBothWays(
        { server: answers(before), other: answers(after) },
        { server: answers(after), other: answers(before) },
      );
      for (const { server, check, pins } of both) {
        expect(pins, `${server}: ${before} → ${after}`).toEqual(check);
        found.push(...pins);
      }
    }
  expect(found.length).toBeGreaterThan(100);
});
