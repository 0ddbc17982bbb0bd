import { untypedRefusals } from "@agentprint/testing/wrong-arguments";
import { expect, test } from "vitest";
import * as root from "../src/index.ts";
import * as jsonValue from "../src/json-value/index.ts";
import * as lines from "../src/lines/index.ts";
import * as sha256 from "../src/sha256.ts";
import * as text from "../src/text/index.ts";

/**
 * Helpers that run for everything that is hashed, so a check in them would slow down each hash and enlarge each browser
 * bundle of `canonicalize`.
 */
const UNCHECKED = ["fromPointer", "ownMember", "readCanonical", "setOwnMember", "toPointer", ...Object.keys(text)];

test("no exported function but small helpers answers a wrong argument with an error without a code", async () => {
  const exported = Object.entries({ ...root, ...sha256, ...jsonValue, ...lines });
  const checked = Object.fromEntries(exported.filter(([name]) => !UNCHECKED.includes(name)));
  expect(await untypedRefusals([checked])).toEqual([]);
}, 60_000);
