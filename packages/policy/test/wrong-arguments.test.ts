import { untypedRefusals } from "@agentprint/testing/wrong-arguments";
import { expect, test } from "vitest";
import * as apply from "../src/apply/index.ts";
import * as root from "../src/index.ts";
import * as settings from "../src/settings/index.ts";

test("no exported function answers a wrong argument with an error without a code", async () => {
  expect(await untypedRefusals([root, apply, settings])).toEqual([]);
}, 60_000);
