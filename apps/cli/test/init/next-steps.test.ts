import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hostile } from "../support/hostile.ts";
import { projectAndHome } from "../support/project-and-home.ts";
import { HAS_GIT, Repository } from "../support/repository.ts";
import { ONE_ERA } from "../support/short-visits.ts";

const [command, script] = hostile("terminal-escapes");
const SERVER = { command, args: [script] };

const world = projectAndHome(ONE_ERA);

/** Returns the lines that init prints about the next steps. */
async function nextSteps(): Promise<string[]> {
  const { code, stdout } = await world.run(["init", "--yes"]);
  expect(code).toBe(0);
  return stdout.slice(stdout.indexOf("Next: ")).split("\n");
}

test("the workflow says when a changed launch may be started, and starts none", async () => {
  world.write(".mcp.json", { mcpServers: { one: SERVER } });
  await nextSteps();
  const workflow = readFileSync(world.workspace.path(".github/workflows/agentprint.yml"), "utf8");
  expect(workflow.match(/^.*--allow-changed-launch.*$/gm)).toEqual([expect.stringMatching(/^ *# /)]);
  expect(workflow).toContain("only if the job has no secrets");
});

describe.skipIf(!HAS_GIT)("a configuration that init found", () => {
  test("is added to a new repository with the lock", async () => {
    new Repository(world.workspace.folder);
    world.write(".mcp.json", { mcpServers: { one: SERVER } });
    world.write(".cursor/mcp.json", { mcpServers: { two: SERVER } });
    const [add] = await nextSteps();
    expect(add).toMatch(/^Next: git add agentprint\.lock \.mcp\.json \.cursor\/mcp\.json agentprint\.config\.json /);
  });

  test("is not added if it is committed, ignored or in another folder", async () => {
    const repository = new Repository(world.workspace.folder);
    world.write(".mcp.json", { mcpServers: { one: SERVER } });
    repository.commit();
    world.write(".cursor/mcp.json", { mcpServers: { two: SERVER } });
    world.write(".gitignore", ".cursor\n");
    writeFileSync(world.home.path(".claude.json"), JSON.stringify({ mcpServers: { three: SERVER } }));
    const [add] = await nextSteps();
    expect(add).toMatch(/^Next: git add agentprint\.lock agentprint\.config\.json /);
  });

  test("is added only after a look at its values, if it has some", async () => {
    new Repository(world.workspace.folder);
    world.write(".mcp.json", { mcpServers: { one: { ...SERVER, env: { TOKEN: "secret" } } } });
    const [add, values] = await nextSteps();
    expect(add).not.toContain(".mcp.json");
    expect(values?.trim()).toBe("git add .mcp.json, if no value in this file is a secret");
  });

  test("is added without a repository, and not if Git cannot read the repository", async () => {
    world.write(".mcp.json", { mcpServers: { one: SERVER } });
    expect((await nextSteps())[0]).toContain(" .mcp.json ");
    world.write(".git", "gitdir: nowhere\n");
    expect((await nextSteps())[0]).not.toContain(".mcp.json");
  });
});
