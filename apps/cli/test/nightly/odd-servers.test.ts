import { expect, test } from "vitest";
import { BY_CHANCE, BY_MOMENT, modesOfQuirks, rowsOfPage, treat } from "../support/odd-servers.ts";

test.each(modesOfQuirks().filter((mode) => !BY_CHANCE.has(mode)))(
  "an odd server is treated as the page says: %s",
  async (mode) => {
    expect(await treat(mode)).toEqual(rowsOfPage().get(mode));
  },
);

test.each([...BY_CHANCE, ...BY_MOMENT])(
  "no client behind the guard sees anything that is not in the lock, for any random choice: %s",
  async (mode) => {
    await treat(mode, false);
  },
);
