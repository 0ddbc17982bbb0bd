import * as trail from "@agentprint/trail";
import * as chain from "@agentprint/trail/chain";
import * as checkpoint from "@agentprint/trail/checkpoint";
import { expect, test } from "vitest";
import * as guards from "../src/database/postgres-guards.ts";
import * as schema from "../src/database/schema.ts";
import * as store from "../src/index.ts";

const modules = { trail, chain, checkpoint, store, guards, schema };
const tables = Object.entries(modules).flatMap(([name, exported]) =>
  Object.entries(exported)
    .filter(([, value]) => typeof value === "object" && value !== null)
    .map(([key, value]) => [`${name}.${key}`, value as object] as const),
);

test("every exported constant table is frozen", () => {
  const names = tables.filter(([, value]) => !Object.isFrozen(value)).map(([name]) => name);
  expect(names).toEqual(["trail.ThoughtRecordSchema"]);
  expect(tables.map(([name]) => name)).toContain("store.STORE_PROBLEM_KINDS");
});
