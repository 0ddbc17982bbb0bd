import { expect, test } from "vitest";
import { hostile } from "../support/hostile.ts";
import { projectAndHome } from "../support/project-and-home.ts";

const [command, script = ""] = hostile("terminal-escapes");
const SERVER = { command, args: [script] };

const world = projectAndHome();
const configure = (mcpServers: object): void => world.write(".mcp.json", { mcpServers });

test("a changed launch that was not started is exit code 2, in a report that lists the compared servers", async () => {
  configure({ one: SERVER, two: SERVER });
  expect(await world.run(["init", "--yes"])).toMatchObject({ code: 0 });
  configure({ one: { command, args: ["-e", "process.exit(3)"] }, two: SERVER });
  const { code, stdout } = await world.run(["check", "--format", "json"]);
  const report = JSON.parse(stdout);
  expect([code, report.outcome]).toEqual([2, "unknown"]);
  expect(report.summary).toMatch(/one could not be read; two unchanged \(\d+ tools?\)/);
  expect(report.servers).toMatchObject([
    { server: "one", outcome: "unknown", failure: { code: "not-started" } },
    { server: "two", outcome: "same" },
  ]);
  const errors = report.findings.filter(({ level }: { level: string }) => level === "error");
  expect(errors.map(({ rule }: { rule: string }) => rule)).toEqual(["mcp/config-launch-changed", "mcp/could-not-tell"]);
  world.write("agentprint.config.json", { rules: { "mcp/config-launch-changed": { check: "note" } } });
  expect((await world.run(["approve", "--policy", "--yes"])).code).toBe(0);
  expect((await world.run(["check"])).code).toBe(2);
  expect((await world.run(["check", "two"])).code).toBe(0);
});
