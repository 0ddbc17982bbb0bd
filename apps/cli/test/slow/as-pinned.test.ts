import { expect, test } from "vitest";
import { asClient, CAPABILITIES, guardCommand, isPinned, QUIRKS } from "../support/quirks.ts";
import { Workspace } from "../support/workspace.ts";

test.each(["emptycursor", "pages", "roots", "elicit"])(
  "what pin and check call unchanged, a client behind the guard lists and calls: %s",
  async (mode) => {
    using space = new Workspace();
    const direct = [process.execPath, QUIRKS, mode];
    expect(await isPinned(space, direct)).toBe(true);
    for (const capabilities of CAPABILITIES) {
      const wanted = await asClient(space, direct, capabilities);
      expect(await asClient(space, guardCommand("q"), capabilities)).toEqual(wanted);
    }
  },
);
