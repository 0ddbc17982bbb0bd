import { appendFileSync, copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { hostile } from "../support/hostile.ts";
import { Workspace } from "../support/workspace.ts";

const [command = "", script = ""] = hostile("terminal-escapes");

test("a server without an entry is not started, and waits for a review", async () => {
  using space = new Workspace();
  const other = ["pin", "--name", "other", "--", command, script];
  expect((await space.run(other)).code).toBe(0);
  const marker = space.path("started");
  const start = ["-e", `require("fs").writeFileSync(${JSON.stringify(marker)}, "")`, "--token", "hunter2-secret"];
  const refused = await space.run(["guard", "files", "--", command, ...start]);
  expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("approve --pending") });
  expect(existsSync(marker)).toBe(false);
  const pending = readFileSync(space.path("agentprint.pending.json"), "utf8");
  expect(JSON.parse(pending).servers).toMatchObject([{ name: "files", launch: { command, env: [] } }]);
  expect(pending).not.toContain("hunter2");

  await space.run(["guard", "files", "--", command, script]);
  expect(await space.run(["approve", "--pending"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("terminal"),
  });
  const approved = await space.run(["approve", "--pending", "--yes"]);
  expect(approved).toMatchObject({ code: 0, stdout: expect.stringMatching(/files is started as[\s\S]*pinned files/) });
  expect(space.lock().servers.map(({ name }) => name)).toEqual(["files", "other"]);
  expect(JSON.parse(readFileSync(space.path("agentprint.pending.json"), "utf8")).servers).toEqual([]);
  expect((await space.run(["approve", "--pending"])).stderr).toContain("no server waits");
});

test("guards that a client starts together all leave their servers to review", async () => {
  using space = new Workspace();
  expect((await space.run(["pin", "--name", "other", "--", command, script])).code).toBe(0);
  const names = Array.from({ length: 8 }, (_, at) => `s${at}`);
  await Promise.all(names.map((name) => space.run(["guard", name, "--", command, script])));
  const { servers } = JSON.parse(readFileSync(space.path("agentprint.pending.json"), "utf8"));
  expect(servers.map(({ name }: { name: string }) => name).sort()).toEqual(names);
});

test("an unreadable list of pending servers is reported", async () => {
  using space = new Workspace();
  writeFileSync(space.path("agentprint.pending.json"), '{"pendingVersion":1,"servers":[{}]}');
  expect(await space.run(["approve", "--pending"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("not a list"),
  });
});

test("nothing but the pinned command with the pinned script is started", async () => {
  using space = new Workspace();
  const folder = dirname(fileURLToPath(new URL("../hostile/protocol.mjs", import.meta.url)));
  copyFileSync(`${folder}/terminal-escapes.mjs`, space.path("server.mjs"));
  copyFileSync(`${folder}/protocol.mjs`, space.path("protocol.mjs"));
  expect((await space.run(["pin", "--name", "files", "--", command, "server.mjs"])).code).toBe(0);
  const other = await space.run(["guard", "files", "--", command, "other.ts"]);
  expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining("a different command") });
  appendFileSync(space.path("server.mjs"), "// changed\n");
  for (const more of [[], ["--", command, "server.mjs"]]) {
    const changed = await space.run(["guard", "files", ...more]);
    expect(changed).toMatchObject({ code: 2, stderr: expect.stringContaining("not the pinned one") });
  }
});
