import { expect, test } from "vitest";
import { modesOfQuirks, rowsOfPage } from "../support/odd-servers.ts";

const rows = rowsOfPage();

test("the page of odd servers has a row for each of them", () => {
  expect([...rows.keys()].sort()).toEqual(modesOfQuirks());
});

test("what pin and check call unchanged, the page has clients see behind the guard, too", () => {
  for (const [mode, { pin, after, clients, guarded }] of rows) {
    if (!pin.startsWith("pinned")) expect([mode, after, guarded]).toEqual([mode, "", ""]);
    else if (!/no list|no call/.test(clients)) {
      const isVarying = pin === "pinned with `--vary`";
      expect([mode, after, guarded]).toEqual([mode, "0, 0, 0", isVarying ? "the pinned values" : "the same"]);
    }
  }
});
