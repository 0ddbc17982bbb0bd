import { untypedRefusals } from "@agentprint/testing/wrong-arguments";
import { expect, test } from "vitest";
import * as root from "../src/index.ts";

/** Pairs the arrays that `diffJson` found. A check would cost every program that compares values. */
const UNCHECKED = ["pairScalars"];

test("no exported function but a small helper answers a wrong argument with an error without a code", async () => {
  const checked = Object.fromEntries(Object.entries(root).filter(([name]) => !UNCHECKED.includes(name)));
  expect(await untypedRefusals([checked])).toEqual([]);
}, 60_000);
