import { untypedRefusals } from "@agentprint/testing/wrong-arguments";
import { expect, test } from "vitest";
import * as eventStream from "../src/event-stream.ts";
import * as headers from "../src/headers/index.ts";
import * as root from "../src/index.ts";

test("no exported function answers a wrong argument with an error without a code", async () => {
  expect(await untypedRefusals([root, eventStream, headers])).toEqual([]);
}, 60_000);
