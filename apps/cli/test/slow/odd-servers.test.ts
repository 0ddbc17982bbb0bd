import { expect, test } from "vitest";
import { rowsOfPage, treat } from "../support/odd-servers.ts";

test.each(["afterdesc", "dup", "dupkey", "dupsame", "elicit", "emptycursor", "pages", "reserr", "roots", "stdoutlog"])(
  "an odd server is treated as the page says: %s",
  async (mode) => {
    expect(await treat(mode)).toEqual(rowsOfPage().get(mode));
  },
);
