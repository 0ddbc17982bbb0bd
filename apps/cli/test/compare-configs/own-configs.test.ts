import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { launch, OWN, WrappedProject } from "../support/wrapped-project.ts";

let project: WrappedProject;
beforeEach(async () => {
  project = new WrappedProject();
  await project.pinFiles();
});
afterEach(() => project[Symbol.dispose]());

const run = (...args: string[]) => project.run(args, project.env);

test("doctor shows the launch of an entry that is not the locked one", async () => {
  project.write(launch([...OWN, "--more"]));
  const { code, stdout } = await run("doctor", "--mcp-config", "mcp.json");
  expect(code).toBe(1);
  expect(stdout).toContain(`another launch is pinned: ${OWN.join(" ")}\n`);
  expect(stdout).toMatch(/the configuration has: +\S.* --more\n/);
  project.write(launch(OWN, { env: { MORE: "x" } }));
  expect(await project.diagnose()).toMatchObject({ isPinned: true, otherLaunch: expect.stringContaining("MORE") });
});

test("doctor shows how to pin an unpinned server, and how to guard a pinned one", async () => {
  project.write(launch(OWN));
  const pinned = await run("doctor", "--mcp-config", "mcp.json");
  expect(pinned.stdout).toContain("To guard what is pinned: agentprint wrap");
  expect(pinned.stdout).not.toContain("agentprint init");
  writeFileSync(project.path("other.json"), JSON.stringify({ mcpServers: { other: launch(OWN) } }));
  const other = await run("doctor", "--mcp-config", "other.json");
  expect(other.stdout).toContain("To pin the rest: agentprint init");
  expect(other.stdout).not.toContain("agentprint wrap");
});

test("wrap --all leaves servers that are not pinned", async () => {
  const entries = { files: launch(OWN), other: launch(OWN) };
  writeFileSync(project.path(".mcp.json"), JSON.stringify({ mcpServers: entries }));
  const { code, stdout } = await run("wrap", "--all", "--scope", "project");
  expect(code).toBe(1);
  expect(stdout).toContain("not guarded other .mcp.json: it is not pinned: agentprint init pins it\n");
  const { mcpServers } = JSON.parse(project.read(".mcp.json"));
  expect(mcpServers).toMatchObject({ files: { args: expect.arrayContaining(["guard"]) }, other: entries.other });
});
