import { expect, test } from "vitest";
import { BY_CHANCE, modesOfQuirks, rowsOfPage, treat } from "../support/odd-servers.ts";

test.each(modesOfQuirks())("an odd server is treated as the page says: %s", async (mode) => {
  expect(await treat(mode)).toEqual(rowsOfPage().get(mode));
});

test.each([...BY_CHANCE])(
  "no client behind the guard sees what the lock does not have, whatever chance says: %s",
  async (mode) => {
    await treat(mode, false);
  },
);
