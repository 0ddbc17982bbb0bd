import { expect, test } from "vitest";
import { readRoads } from "../../apps/scripts/src/roads.ts";

const roads = readRoads();

test.each(roads.map((road) => [road.name, road] as const))(
  "a reader of %s passes no more files than apps/scripts/src/roads.json allows",
  (_name, { stops, most }) => {
    expect(stops.length, stops.join("\n")).toBeLessThanOrEqual(most);
    expect(stops).not.toEqual([]);
  },
);

test("the core of a check has the visit, and no file of a source", () => {
  const partsOf = (part: string) => roads.filter(({ name }) => name.startsWith(`check, its ${part}`));
  const [core] = partsOf("core");
  const sources = partsOf("source ");
  expect(core?.stops).toContain("apps/cli/src/visit/visit-servers.ts");
  expect(sources.map(({ name }) => name)).toContain("check, its source skills");
  const ofSources = sources.flatMap(({ stops }) => stops);
  expect(core?.stops.filter((stop) => ofSources.includes(stop) || stop.includes("/sources/"))).toEqual([]);
});
