import { untypedRefusals } from "@agentprint/testing/wrong-arguments";
import { expect, test } from "vitest";
import * as root from "../src/index.ts";
import * as redact from "../src/redact/index.ts";

test("no exported function answers a wrong argument with an error without a code", async () => {
  expect(await untypedRefusals([root, redact])).toEqual([]);
}, 60_000);
