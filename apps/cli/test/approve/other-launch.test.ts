import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { projectAndHome } from "../support/project-and-home.ts";
import type { RunResult } from "../support/run-cli.ts";
import { ONE_ERA } from "../support/short-visits.ts";
import { toolsServer } from "../support/tools-server.ts";

const world = projectAndHome(ONE_ERA);
const run = (...args: string[]): Promise<RunResult> => world.run(args);

function launchVersion(version: string): void {
  world.write(".mcp.json", { mcpServers: { s: { command: "node", args: [`${version}.cjs`] } } });
}

/** Returns the command that an error recommends, in words. */
function commandIn({ stderr }: RunResult): string[] {
  const [, line = ""] = /approve the launch of the configuration: agentprint (.*)/.exec(stderr) ?? [];
  return line.split(" ");
}

beforeEach(async () => {
  const tool = { name: "read", inputSchema: { type: "object" } };
  world.write("v1.cjs", toolsServer([tool]));
  world.write("v2.cjs", toolsServer([{ ...tool, description: "Reads." }]));
  launchVersion("v1");
  expect(await run("init", "--yes")).toMatchObject({ code: 0 });
  launchVersion("v2");
});

describe("approve of a launch that only .mcp.json has", () => {
  test("names the command that accepts the report, and it works", async () => {
    await run("check", "--allow-changed-launch", "--format", "json", "--output", "report.json");
    const refused = await run("approve", "--from", "report.json");
    expect(refused.code).toBe(1);
    expect(commandIn(refused)).toEqual(["approve", "s", "--mcp-config", ".mcp.json", "--from", "report.json"]);
    expect(await run(...commandIn(refused))).toMatchObject({ code: 0 });
    expect((await run("check")).code).toBe(0);
  });

  test("names the command that accepts the digest, and it works", async () => {
    const { stdout } = await run("check", "--allow-changed-launch", "--format", "json");
    const digest = JSON.parse(stdout).servers[0].digest.after;
    const refused = await run("approve", "s", "--expect", digest);
    expect(refused.code).toBe(1);
    expect(commandIn(refused)).toEqual(["approve", "s", "--mcp-config", ".mcp.json", "--expect", digest]);
    expect(await run(...commandIn(refused))).toMatchObject({ code: 0 });
  });

  test("asks for another report where the check did not start the server", async () => {
    expect((await run("check", "--format", "json", "--output", "report.json")).code).toBe(2);
    const { stderr } = await run("approve", "--from", "report.json");
    expect(stderr).toContain("check again with --allow-changed-launch if the changed launch is safe to run");
  });

  test("asks for another report where the server changed after the review", async () => {
    await run("check", "--allow-changed-launch", "--format", "json", "--output", "report.json");
    world.write("v2.cjs", readFileSync(world.workspace.path("v1.cjs"), "utf8"));
    const { stderr } = await run("approve", "--from", "report.json", "--mcp-config", ".mcp.json");
    expect(stderr).toContain("check again, review the new report, and approve from that one");
  });
});
