import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { stateFileOf } from "../../src/guard/state-file.ts";
import { hostile } from "../support/hostile.ts";
import { memoryContext } from "../support/run-cli.ts";
import { Workspace } from "../support/workspace.ts";

const [command, script] = hostile("terminal-escapes");
const CONFIG = `{
  // by hand
  "mcpServers": {
    "files": { "command": ${JSON.stringify(command)}, "args": [${JSON.stringify(script)}] },
    "maps": { "url": "https://maps.example/mcp" },
  },
}
`;

function workspace(): Workspace {
  const space = new Workspace();
  writeFileSync(space.path("mcp.json"), CONFIG);
  return space;
}

const read = (space: Workspace, file = "mcp.json") => readFileSync(space.path(file), "utf8");

test("the guard is put in front once, with a backup, and taken away byte for byte", async () => {
  using space = workspace();
  const first = await space.run(["wrap", "--config", "mcp.json"]);
  expect(first).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/guarded files .*\nnot guarded maps .*--http/),
  });
  expect(first.stderr).toContain("not pinned");
  const wrapped = read(space);
  expect(wrapped).toContain(`"guard", "files", "--lock", ${JSON.stringify(space.path("agentprint.lock"))}, "--"`);
  expect(read(space, "mcp.json.before-agentprint")).toBe(CONFIG);

  const second = await space.run(["wrap", "--mcp-config", "mcp.json", "--http", "127.0.0.1:4000"]);
  expect(second.code).toBe(0);
  expect(read(space)).toContain('"http://127.0.0.1:4000/maps#https://maps.example/mcp"');
  expect(read(space, "mcp.json.before-agentprint")).toBe(CONFIG);
  const third = await space.run(["wrap", "--mcp-config", "mcp.json", "--http", "127.0.0.1:4000"]);
  expect(third).toMatchObject({ code: 0, stdout: "There is nothing to do.\n" });

  expect((await space.run(["unwrap", "--mcp-config", "mcp.json", "--dry-run"])).stdout).toContain(
    "Nothing was written",
  );
  expect(read(space)).not.toBe(CONFIG);
  expect((await space.run(["unwrap", "--mcp-config", "mcp.json"])).code).toBe(0);
  expect(read(space)).toBe(CONFIG);
  expect(existsSync(space.path("mcp.json.before-agentprint"))).toBe(false);
});

test("what was edited meanwhile stays, and so does the backup", async () => {
  using space = workspace();
  await space.run(["wrap", "--mcp-config", "mcp.json"]);
  writeFileSync(space.path("mcp.json"), read(space).replace("// by hand", "// by another hand"));
  expect((await space.run(["unwrap", "--mcp-config", "mcp.json"])).code).toBe(0);
  expect(read(space)).toBe(CONFIG.replace("// by hand", "// by another hand"));
  expect(existsSync(space.path("mcp.json.before-agentprint"))).toBe(true);
});

test("what is not named is not edited", async () => {
  using space = workspace();
  expect(await space.run(["wrap"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("name the configurations"),
  });
  expect(await space.run(["wrap", "--mcp-config", "mcp.json", "--dry-run"])).toMatchObject({
    stdout: expect.stringContaining("Nothing was written"),
  });
  expect(read(space)).toBe(CONFIG);
});

test("a server behind the guard is pinned by its own launch, and doctor says what is not guarded and what is frozen", async () => {
  using space = workspace();
  const env = { XDG_STATE_HOME: space.path("state") };
  await space.run(["wrap", "--mcp-config", "mcp.json"]);
  expect((await space.run(["pin", "--mcp-config", "mcp.json", "--name", "files"])).code).toBe(0);
  expect(space.lock().servers).toMatchObject([{ name: "files", launch: { command, args: [script] } }]);

  const doctor = ["doctor", "--mcp-config", "mcp.json"];
  const text = await space.run(doctor, env);
  expect(text.code).toBe(1);
  expect(text.stdout).toMatch(/files guarded mcp\.json\nmaps not guarded, not pinned mcp\.json\n/);

  expect((await space.run(["check"], env)).code).toBe(0);
  const context = memoryContext([], { cwd: space.folder, env });
  const file = await stateFileOf(context, "agentprint.lock");
  const state = JSON.parse(readFileSync(file, "utf8"));
  const [tool = ""] = Object.keys(state.servers.files.tools);
  state.servers.files.tools[tool] = "freeze";
  writeFileSync(file, JSON.stringify(state));
  const { servers } = JSON.parse((await space.run([...doctor, "--format", "json"], env)).stdout);
  expect(servers).toMatchObject([
    { server: "files", isGuarded: true, isPinned: true, frozen: [tool], blocked: [] },
    { server: "maps", isGuarded: false, isPinned: false },
  ]);
});
