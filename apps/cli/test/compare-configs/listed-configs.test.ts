import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hostile } from "../support/hostile.ts";
import { projectAndHome } from "../support/project-and-home.ts";
import { HAS_GIT, Repository } from "../support/repository.ts";

const [command = "", ...args] = hostile("terminal-escapes");
const OTHER = "services/search/.mcp.json";
const CONFIG = "agentprint.config.json";

const world = projectAndHome();
const servers = (...more: readonly string[]) => ({
  mcpServers: { files: { command, args: [...args, ...more], env: { HOSTILE_TEXT: "before" } } },
});
const list = (...configurations: readonly unknown[]) => world.write(CONFIG, { configurations });

async function findingsOf(...options: readonly string[]): Promise<{ code: number | null; rules: string[] }> {
  const { code, stdout } = await world.run(["check", "--format", "json", ...options]);
  const { findings } = JSON.parse(stdout) as { findings: { rule: string; place: { location?: { file: string } } }[] };
  return { code, rules: findings.map(({ rule, place }) => `${rule} ${place.location?.file}`) };
}

/** Pins the server from the project's own configuration, and lists another configuration. */
async function pinned(...more: readonly string[]): Promise<void> {
  world.write(".mcp.json", servers());
  world.write(OTHER, servers(...more));
  expect(await world.run(["pin", "--mcp-config", ".mcp.json"])).toMatchObject({ code: 0, stderr: "" });
  list(OTHER);
}

describe("a configuration that agentprint.config.json lists", () => {
  test("is compared with the lock like the configurations in the lock's folder", async () => {
    await pinned();
    expect(await findingsOf()).toEqual({ code: 0, rules: [] });
    world.write(OTHER, servers("--more"));
    expect(await findingsOf()).toEqual({
      code: 2,
      rules: [`mcp/config-launch-changed ${OTHER}`, "mcp/could-not-tell undefined"],
    });
  });

  test("is read by status, doctor and init, too, except for the user's own servers", async () => {
    await pinned("--more");
    for (const name of ["status", "doctor"]) {
      const { code, stdout } = await world.run([name]);
      expect(code).toBe(1);
      expect(stdout).toContain(OTHER);
      expect((await world.run([name, "--scope", "user"])).stdout).not.toContain(OTHER);
    }
    expect((await world.run(["init", "--yes", "--dry-run"])).stdout).toContain(OTHER);
  });

  test("is found from another folder by the folder of the lock", async () => {
    await pinned("--more");
    mkdirSync(world.workspace.path("elsewhere"));
    const lock = ["--lock", world.workspace.path("agentprint.lock")];
    const { folder } = world.workspace;
    Object.defineProperty(world.workspace, "folder", { value: world.workspace.path("elsewhere") });
    const { rules } = await findingsOf(...lock);
    Object.defineProperty(world.workspace, "folder", { value: folder });
    expect(rules[0]).toBe(`mcp/config-launch-changed ${world.workspace.path(OTHER)}`);
  });

  test.each<[string, () => void, string]>([
    ["is missing", () => list(OTHER, "no/.mcp.json"), "no/.mcp.json"],
    ["is a folder", () => list("services"), "services"],
    [
      "is reached by a link out of the folder",
      () => {
        writeFileSync(world.home.path("mcp.json"), JSON.stringify(servers()));
        symlinkSync(world.home.path("mcp.json"), world.workspace.path("services/linked.json"));
        list("services/linked.json");
      },
      "a link leads from services/linked.json out of the folder of the lock",
    ],
    [
      "is in a folder that is a link",
      () => {
        writeFileSync(world.home.path("mcp.json"), JSON.stringify(servers()));
        symlinkSync(world.home.folder, world.workspace.path("services/linked"));
        list("services/linked/mcp.json");
      },
      "out of the folder of the lock",
    ],
  ])("is exit code 2 where it %s", async (_, prepare, says) => {
    await pinned();
    prepare();
    const check = await world.run(["check"]);
    expect(check).toMatchObject({ code: 2, stdout: expect.stringContaining(says) });
    expect(await world.run(["status"])).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
  });

  test.each(["../mcp.json", "/etc/mcp.json", "a/../../b", "C:/mcp.json", "a\\b"])(
    "is refused with its place where its path is %s",
    async (path) => {
      await pinned();
      list(OTHER, path);
      for (const name of ["check", "status", "doctor", "init"]) {
        const { code, stderr } = await world.run([name]);
        expect(code).toBe(2);
        expect(stderr).toContain("invalid-config");
        expect(stderr).toContain("/configurations/1");
        expect(stderr).toContain(`${CONFIG}:4:5`);
      }
    },
  );

  test.skipIf(!HAS_GIT)("cannot be taken off the list by the change that is checked", async () => {
    await pinned();
    const repository = new Repository(world.workspace.folder);
    repository.commit();
    repository.git("branch", "--force", "base");
    world.write(OTHER, servers("--more"));
    list();
    expect((await findingsOf()).rules).toEqual([]);
    expect((await findingsOf("--base", "base")).rules).toContain(`mcp/config-launch-changed ${OTHER}`);
  });
});

test.skipIf(!HAS_GIT)("visits use the settings of the base if there is one", async () => {
  world.write(".mcp.json", servers());
  await world.run(["pin", "--mcp-config", ".mcp.json"]);
  world.write(CONFIG, { visits: { protocol: "2025-11-25" } });
  const repository = new Repository(world.workspace.folder);
  repository.commit();
  repository.git("branch", "--force", "base");
  world.write(CONFIG, { visits: { maxItems: 1, totalTimeout: 0.001 } });
  expect((await findingsOf()).code).toBe(2);
  expect((await findingsOf("--base", "base")).code).toBe(0);
});
