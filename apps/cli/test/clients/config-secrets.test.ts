import { CLIENTS } from "@agentprint/client-configs/client-table";
import { expect, test } from "vitest";
import { expectSecretsKept } from "../support/kept-secrets.ts";

const RUNS = Number(process.env["CONFIG_SECRET_RUNS"] ?? 1);

test.each(CLIENTS)("no secret of a configuration of $name is on a stream or in a file", async (client) => {
  expect(RUNS).toBeGreaterThan(0);
  await expectSecretsKept(client, RUNS);
});
