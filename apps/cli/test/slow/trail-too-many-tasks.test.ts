import { expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";

test("trail verify --workers has no verdict on more tasks than it can hold", async () => {
  const lines = Array.from({ length: 100_001 }, (_, task) => `{"task_id":"${task}"}\n`);
  const run = await runCli(["trail", "verify", "--workers", "2"], { stdin: lines.join("") });
  expect(run).toMatchObject({ code: 2, stdout: "" });
  expect(run.stderr).toContain("too-many-tasks");
});
