import { listSuites } from "@agentprint/golden-vectors";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";

describe("agentprint vectors", () => {
  test("lists the suites of the golden vectors package", async () => {
    const run = await runCli(["vectors", "list"]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    for (const suite of listSuites()) expect(run.stdout).toContain(suite);
  });

  test("explains itself and its commands", async () => {
    const run = await runCli(["vectors", "--help"]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout).toContain("Usage: agentprint vectors");
    for (const command of ["list", "fmt", "lint", "run", "release"]) expect(run.stdout).toMatch(`\n  ${command} `);
    expect((await runCli(["vectors", "run", "--help"])).stdout).toContain("Usage: agentprint vectors run");
  });

  test("runs a port and ends 1 when it gets something wrong", async () => {
    const port = `node -e "
      require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { hello, id } = JSON.parse(line);
        const about = { name: 'wrong', language: 'JavaScript', version: '0', operations: ['canonical-json/canonicalize'] };
        console.log(JSON.stringify(hello ? about : { id, result: { canonical: 'wrong' } }));
      })"`;
    const run = await runCli(["vectors", "run", "canonical-json/rfc8785-structure", "--exec", port]);
    expect(run).toMatchObject({ code: 1, stderr: "" });
  });

  test.each([["run", "no-such-suite"], ["run", "--no-such-option"], ["no-such-command"], []])(
    "ends 2 on vectors %s %s",
    async (...args) => {
      expect(await runCli(["vectors", ...args])).toMatchObject({ code: 2, stdout: "" });
    },
  );
});
