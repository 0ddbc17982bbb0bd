import { test } from "vitest";
import { expectPinnedValues, VARYING_MODES } from "../support/quirks.ts";
import { Workspace } from "../support/workspace.ts";

test.each(VARYING_MODES)(
  "a server that answers otherwise at each start is pinned, unchanged ten times, approved and guarded: $mode",
  async (mode) => {
    using space = new Workspace();
    await expectPinnedValues(space, mode, 10);
  },
);
