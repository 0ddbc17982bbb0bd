import { fileURLToPath } from "node:url";
import { EMPTY } from "@agentprint/testing/manifest/scoped-manifests";
import { runProgram } from "@agentprint/testing/programs";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRegistry, type TestRegistry } from "../support/registry.ts";

const CLI = fileURLToPath(new URL("../../../cli/src/main.ts", import.meta.url));

let registry: TestRegistry;
beforeAll(async () => {
  registry = await openRegistry();
});
afterAll(() => registry.close());

test("`agentprint trail verify` passes the history of an agent, until someone rewrites it", async () => {
  const { store } = registry.services;
  const verify = (): { status: number | null; stdout: string } =>
    runProgram(process.execPath, ["--conditions=@agentprint/source", CLI, "trail", "verify", store.url], {});
  await registry.create("demo", EMPTY);
  for (let count = 0; count < 3; count++) await registry.publish("demo", EMPTY);
  await registry.sign();
  expect(verify()).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/\d records in 2 chains, all intact/),
  });
  await sql`drop trigger thoughts_no_update`.execute(store.db);
  await sql`update thoughts set content = '{}' where position = 2`.execute(store.db);
  expect(verify()).toMatchObject({ status: 1, stdout: expect.stringContaining("altered") });
});
