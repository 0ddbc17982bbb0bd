import { untypedRefusals } from "@agentprint/testing/wrong-arguments";
import { expect, test } from "vitest";
import * as root from "../src/index.ts";
import * as jsonValue from "../src/json-value/index.ts";
import * as lines from "../src/lines/index.ts";
import * as sha256 from "../src/sha256.ts";
import * as text from "../src/text/index.ts";

test("no exported function answers a wrong argument with an error without a code", async () => {
  expect(await untypedRefusals([root, sha256, jsonValue, lines, text])).toEqual([]);
}, 60_000);
