import { expect, test } from "vitest";
import { readRoads } from "../../apps/scripts/src/roads.ts";

test.each(readRoads().map((road) => [road.name, road] as const))(
  "a reader of %s passes no more files than apps/scripts/src/roads.json allows",
  (_name, { stops, most }) => {
    expect(stops.length, stops.join("\n")).toBeLessThanOrEqual(most);
    expect(stops.length).toBeGreaterThan(5);
  },
);
