import { untypedRefusals } from "@agentprint/testing/wrong-arguments";
import { expect, test } from "vitest";
import * as chain from "../src/chain/index.ts";
import * as checkpoint from "../src/checkpoint/index.ts";
import * as ed25519 from "../src/ed25519/node.ts";
import * as rules from "../src/findings/index.ts";
import * as root from "../src/index.ts";
import * as record from "../src/record/index.ts";
import * as schema from "../src/record/schema.ts";

test("no exported function answers a wrong argument with an error without a code", async () => {
  expect(await untypedRefusals([root, chain, record, schema, checkpoint, ed25519, rules])).toEqual([]);
}, 60_000);
