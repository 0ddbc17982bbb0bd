import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseConfig } from "@agentprint/client-configs";
import { describe, expect, test } from "vitest";
import { guardAddress } from "../../src/clients/guarded-launch.ts";
import { replaceFile } from "../../src/files/replace-file.ts";
import { stateFileOf } from "../../src/guard/state-file.ts";
import { wrapAddress, wrapCommand } from "../../src/wrap/wrap-entry.ts";
import { askHook } from "../support/claude-code-hook.ts";
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

/** Returns the copies of configurations in the state folder. */
function backups(space: Workspace): string[] {
  const folder = space.path("state/agentprint/wrapped");
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  return names.filter((name) => basename(name) === "before").map((name) => join(folder, name));
}

test("the guard is put in front once, with a backup, and taken away byte for byte", async () => {
  using space = workspace();
  const env = { XDG_STATE_HOME: space.path("state") };
  const first = await space.run(["wrap", "--config", "mcp.json"], env);
  expect(first).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/guarded files .*\nnot guarded maps .*--http/),
  });
  expect(first.stderr).toContain("not pinned");
  const wrapped = read(space);
  expect(wrapped).toContain(`"guard", "files", "--lock", ${JSON.stringify(space.path("agentprint.lock"))}, "--"`);
  const [backup = ""] = backups(space);
  expect(first.stdout).toContain(`as it was before: ${backup}\n`);
  expect(readFileSync(backup, "utf8")).toBe(CONFIG);
  expect(readdirSync(space.folder).sort()).toEqual(["mcp.json", "state"]);

  const second = await space.run(["wrap", "--mcp-config", "mcp.json", "--http", "127.0.0.1:4000"], env);
  expect(second.code).toBe(0);
  expect(read(space)).toContain('"http://127.0.0.1:4000/maps#https://maps.example/mcp"');
  expect(readFileSync(backup, "utf8")).toBe(CONFIG);
  const third = await space.run(["wrap", "--mcp-config", "mcp.json", "--http", "127.0.0.1:4000"], env);
  expect(third).toMatchObject({ code: 0, stdout: "Nothing to do.\n" });

  expect((await space.run(["unwrap", "--mcp-config", "mcp.json", "--dry-run"], env)).stdout).toContain(
    "Nothing was written",
  );
  expect(read(space)).not.toBe(CONFIG);
  expect((await space.run(["unwrap", "--mcp-config", "mcp.json"], env)).code).toBe(0);
  expect(read(space)).toBe(CONFIG);
  expect(readdirSync(space.path("state/agentprint/wrapped"))).toEqual([]);
});

test("later edits stay, and so does the backup", async () => {
  using space = workspace();
  const env = { XDG_STATE_HOME: space.path("state") };
  await space.run(["wrap", "--mcp-config", "mcp.json"], env);
  writeFileSync(space.path("mcp.json"), read(space).replace("// by hand", "// by another hand"));
  const unwrapped = await space.run(["unwrap", "--mcp-config", "mcp.json"], env);
  expect(unwrapped).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`as it was before: ${backups(space)[0]}`),
  });
  expect(read(space)).toBe(CONFIG.replace("// by hand", "// by another hand"));
  expect(backups(space)).toHaveLength(1);
});

test("unwrap needs neither the backup nor the machine on which the guard was put in front", async () => {
  using space = workspace();
  const there = ["/opt/node 30/bin/node", "/Users/you/agentprint/dist/main.js", "guard", "files"];
  const config = await parseConfig(CONFIG, "mcp.json");
  const entry = ["mcpServers", "files"];
  const wrapped = await wrapCommand(config, entry, [...there, "--lock", "/Users/you/app/agentprint.lock", "--"]);
  const whole = await wrapAddress(wrapped, ["mcpServers", "maps"], guardAddress("maps", "guard.example:4000"));
  writeFileSync(space.path("mcp.json"), whole.text);
  const run = await space.run(["unwrap", "--mcp-config", "mcp.json"], { XDG_STATE_HOME: space.path("nothing") });
  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(read(space)).toBe(CONFIG);
});

describe.skipIf(process.platform === "win32")("a copy of a configuration, on POSIX systems,", () => {
  const modes = [0o600, 0o400, 0o640, 0o644, 0o666].flatMap((mode) => [0, 0o022].map((umask) => ({ mode, umask })));

  test.each(modes)("is readable only for readers of the original: $mode, umask $umask", async ({ mode, umask }) => {
    using space = workspace();
    const env = { XDG_STATE_HOME: space.path("state") };
    chmodSync(space.path("mcp.json"), mode);
    const before = process.umask(umask);
    try {
      await space.run(["wrap", "--mcp-config", "mcp.json"], env);
    } finally {
      process.umask(before);
    }
    expect(statSync(space.path("mcp.json")).mode & 0o777).toBe(mode);
    const [backup = ""] = backups(space);
    expect(statSync(backup).mode & 0o777 & ~(mode & 0o700)).toBe(0);
    for (let folder = dirname(backup); folder !== space.folder; folder = dirname(folder)) {
      expect(statSync(folder).mode & 0o077, folder).toBe(0);
    }
  });

  test("is closed to others even while it is written", async () => {
    using space = new Workspace();
    const context = memoryContext([], { cwd: space.folder });
    writeFileSync(space.path("config"), "before", { mode: 0o600 });
    const seen = new Set<number>();
    const before = process.umask(0);
    try {
      for (const [file, mode] of [
        ["config", undefined],
        ["copy", 0o600],
      ] as const) {
        let isDone = false;
        const done = replaceFile(context, file, "s".repeat(50_000_000), mode).finally(() => {
          isDone = true;
        });
        while (!isDone) {
          for (const name of readdirSync(space.folder)) {
            const found = statSync(space.path(name), { throwIfNoEntry: false });
            if (found) seen.add(found.mode & 0o777);
          }
          await new Promise(setImmediate);
        }
        await done;
      }
    } finally {
      process.umask(before);
    }
    expect([...seen]).toEqual([0o600]);
  });

  test("lies in a folder of the user that others could open before", async () => {
    using space = workspace();
    mkdirSync(space.path("state/agentprint/wrapped"), { recursive: true, mode: 0o777 });
    chmodSync(space.path("state/agentprint/wrapped"), 0o777);
    await space.run(["wrap", "--mcp-config", "mcp.json"], { XDG_STATE_HOME: space.path("state") });
    expect(statSync(space.path("state/agentprint/wrapped")).mode & 0o777).toBe(0o700);
    expect(statSync(space.path("state/agentprint")).mode & 0o777).toBe(0o700);
  });

  test("is refused where the folder is a file, and nothing is changed", async () => {
    using space = workspace();
    mkdirSync(space.path("state/agentprint"), { recursive: true });
    writeFileSync(space.path("state/agentprint/wrapped"), "");
    const run = await space.run(["wrap", "--mcp-config", "mcp.json"], { XDG_STATE_HOME: space.path("state") });
    expect(run.code).toBe(2);
    expect(read(space)).toBe(CONFIG);
  });
});

test("a dry run shows the launches before and after, and nothing else of the configuration", async () => {
  using space = new Workspace();
  const env = { XDG_STATE_HOME: space.path("state") };
  const files = { command: "run", args: ["--token", "s3cr3t-1", "x"], env: { MODE: "s3cr3t-2", API_KEY: "s3cr3t-3" } };
  const maps = { url: "https://me:s3cr3t-4@maps.example/mcp?api_key=s3cr3t-5", headers: { "X-Mode": "s3cr3t-6" } };
  const text = JSON.stringify({ note: "s3cr3t-7", mcpServers: { files, maps } });
  writeFileSync(space.path("mcp.json"), text);
  const wrap = ["wrap", "--mcp-config", "mcp.json", "--lock", "agentprint.lock", "--http", "127.0.0.1:4000"];
  const dry = await space.run([...wrap, "--dry-run"], env);
  expect(dry.stdout).toMatch(/^-files: run --token '<redacted>' x \(variables API_KEY, MODE\)$/m);
  expect(dry.stdout).toMatch(
    /^\+files: .* guard files --lock agentprint\.lock -- run --token '<redacted>' x \(var.*$/m,
  );
  expect(dry.stdout).toMatch(
    /^\+maps: http:\/\/127\.0\.0\.1:4000\/maps#https:\/\/me:<redacted>@maps\.example\/mcp\?api_key=/m,
  );
  await space.run(wrap, env);
  const undone = await space.run(["unwrap", "--mcp-config", "mcp.json", "--dry-run"], env);
  for (const run of [dry, undone]) expect(run.stdout + run.stderr).not.toContain("s3cr3t");
  await space.run(["unwrap", "--mcp-config", "mcp.json"], env);
  expect(read(space)).toBe(text);
});

test("a configuration that is not named is not edited", async () => {
  using space = workspace();
  const env = { XDG_STATE_HOME: space.path("state") };
  expect(await space.run(["wrap"], env)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("name the configurations"),
  });
  expect(await space.run(["wrap", "--mcp-config", "mcp.json", "--dry-run"], env)).toMatchObject({
    stdout: expect.stringContaining("Nothing was written"),
  });
  expect(read(space)).toBe(CONFIG);
});

test("a server behind the guard is pinned by its own launch, and doctor reports unguarded and frozen servers", async () => {
  using space = workspace();
  const env = { XDG_STATE_HOME: space.path("state") };
  await space.run(["wrap", "--mcp-config", "mcp.json"], env);
  expect((await space.run(["pin", "--mcp-config", "mcp.json", "--name", "files"], env)).code).toBe(0);
  expect(space.lock().servers).toMatchObject([{ name: "files", launch: { command, args: [script] } }]);

  const doctor = ["doctor", "--mcp-config", "mcp.json"];
  const text = await space.run(doctor, env);
  expect(text.code).toBe(1);
  expect(text.stdout).toMatch(/files guarded mcp\.json\nmaps not guarded, not pinned mcp\.json\n/);

  expect((await space.run(["check", "files"], env)).code).toBe(0);
  const context = memoryContext([], { cwd: space.folder, env });
  const file = await stateFileOf(context, "agentprint.lock", "files");
  expect(existsSync(file)).toBe(false);
  expect(askHook(space.folder, "mcp__files__read", env)).toMatch(/^ask/);
  expect((await space.run(["check", "files"], env)).code).toBe(0);
  const state = JSON.parse(readFileSync(file, "utf8"));
  const [tool = ""] = Object.keys(state.tools);
  state.tools[tool] = "freeze";
  writeFileSync(file, JSON.stringify(state));
  const { servers } = JSON.parse((await space.run([...doctor, "--format", "json"], env)).stdout);
  expect(servers).toMatchObject([
    { server: "files", isGuarded: true, isPinned: true, frozen: [tool], blocked: [] },
    { server: "maps", isGuarded: false, isPinned: false },
  ]);
});
