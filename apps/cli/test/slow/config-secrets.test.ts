import { test } from "vitest";
import { CLIENTS } from "../../src/clients/client-table.ts";
import { expectSecretsKept } from "../support/kept-secrets.ts";

test.each(CLIENTS)("no secret of any configuration of $name is on a stream or in a file", (client) =>
  expectSecretsKept(client, 10),
);
