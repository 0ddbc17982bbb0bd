import { expect, test } from "vitest";
import { checkTable } from "./check-table.ts";
import { tableBelow } from "./observe.ts";
import { PARTS_HEADING, partsTable } from "./parts.ts";
import { TABLES } from "./tables.ts";

for (const table of TABLES) checkTable(table);

test("the README says of each part of an agent what the tables of the frameworks say", () => {
  const [, ...rows] = partsTable();
  expect(tableBelow(PARTS_HEADING)).toEqual(rows);
});
