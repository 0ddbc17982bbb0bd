import { untypedRefusals } from "@agentprint/testing/wrong-arguments";
import { expect, test } from "vitest";
import * as errors from "../src/errors.ts";
import * as root from "../src/index.ts";
import * as secrets from "../src/secrets/index.ts";

test("no exported function answers a wrong argument with an error without a code", async () => {
  expect(await untypedRefusals([root, errors, secrets])).toEqual([]);
}, 60_000);
