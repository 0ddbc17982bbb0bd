import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CONFIG_RULES } from "../../src/rules/check-rules.ts";
import { hostile } from "../support/hostile.ts";
import { projectAndHome } from "../support/project-and-home.ts";

const [command, script = ""] = hostile("terminal-escapes");
const ONE = { command, args: [script] };
const OTHER = { command, args: [script, "--other"] };

const world = projectAndHome();
const { write, run } = world;
const configure = (mcpServers: object): void => write(".mcp.json", { mcpServers });
const reject = (file: string, ...names: string[]): void => write(file, { disabledMcpjsonServers: names });
const SHARED = ".claude/settings.json";
const LOCAL = ".claude/settings.local.json";

/** Returns a launch that writes a file when it is started. */
const tracing = () => ({ command, args: ["-e", `require("fs").writeFileSync(${JSON.stringify(trace())}, "")`] });
const trace = () => world.workspace.path("started");

async function pinned(): Promise<void> {
  configure({ one: ONE });
  expect(await run(["init", "--yes"])).toMatchObject({ code: 0 });
}

async function check(...args: string[]) {
  const { code, stdout } = await run(["check", "--format", "json", ...args]);
  const { findings } = JSON.parse(stdout);
  return { code, findings: findings.filter(({ rule }: { rule: string }) => Object.hasOwn(CONFIG_RULES, rule)) };
}

describe("check and servers that settings of Claude Code reject", () => {
  test("a launch that a change replaces and rejects at once is found: others read .mcp.json, too", async () => {
    await pinned();
    configure({ one: tracing() });
    reject(SHARED, "one");
    expect(await check()).toMatchObject({
      code: 1,
      findings: [
        {
          rule: "mcp/config-launch-changed",
          level: "error",
          note: ".claude/settings.json:3 switches it off only for Claude Code",
          place: { location: { file: ".mcp.json" } },
        },
      ],
    });
    expect(existsSync(trace())).toBe(false);
  });

  test("a rejected server that nobody pinned is a note with both places, and is never started", async () => {
    await pinned();
    configure({ one: ONE, two: tracing() });
    write(SHARED, {
      enableAllProjectMcpServers: true,
      enabledMcpjsonServers: ["two"],
      disabledMcpjsonServers: ["two"],
    });
    for (const args of [[], ["--allow-changed-launch"]]) {
      expect(await check(...args)).toMatchObject({
        code: 0,
        findings: [
          {
            rule: "mcp/not-pinned",
            level: "note",
            message: ".mcp.json:9 has a server that is not pinned",
            note: ".claude/settings.json:7 switches it off only for Claude Code",
          },
        ],
      });
    }
    expect(existsSync(trace())).toBe(false);
    reject(SHARED);
    expect(await check()).toMatchObject({ code: 1, findings: [{ level: "error" }] });
  });

  test("a server that nobody has allowed yet is still compared: a person allows it at the first start", async () => {
    await pinned();
    configure({ one: ONE, two: tracing() });
    write(SHARED, { enableAllProjectMcpServers: false, enabledMcpjsonServers: ["one"] });
    expect(await check()).toMatchObject({ code: 1, findings: [{ rule: "mcp/not-pinned", level: "error" }] });
  });

  test.each([LOCAL, "home"])("a server that one person rejects (%s) changes nothing", async (file) => {
    await pinned();
    configure({ one: OTHER, two: tracing() });
    const before = await check();
    expect(before.findings).toMatchObject([{ level: "error" }, { level: "error" }]);
    if (file === "home") {
      mkdirSync(world.home.path(".claude"));
      writeFileSync(world.home.path(SHARED), JSON.stringify({ disabledMcpjsonServers: ["one", "two"] }));
    } else reject(file, "one", "two");
    expect(await check()).toEqual(before);
  });

  test.each([
    ["no JSON", "{"],
    ["no list", { disabledMcpjsonServers: "two" }],
    ["no names", { disabledMcpjsonServers: [{}] }],
  ])("settings that cannot be read (%s) are exit code 2", async (_name, text) => {
    await pinned();
    write(SHARED, text);
    const { code, findings } = await check();
    expect(code).toBe(2);
    expect(findings).toMatchObject([{ couldNotTell: true, message: expect.stringContaining("whether it launches") }]);
  });
});

describe("check and entries that carry their own switch", () => {
  test.each([
    [".mcp.json", { mcpServers: { two: { command, disabled: true } } }, "disabled: true"],
    [".cursor/mcp.json", { mcpServers: { two: { command, enabled: false } } }, "enabled: false"],
    [".vscode/mcp.json", { servers: { two: { command, disabled: true } } }, "disabled: true"],
    [".mcp.json", { mcpServers: { two: { command } }, mcp: { excluded: ["two"] } }, "mcp.excluded"],
    [".gemini/settings.json", { mcpServers: { two: { command, disabled: true } } }, "disabled: true"],
  ])("%s: a switch that the client is not documented to read hides no server (%#)", async (file, config, words) => {
    await pinned();
    const own = file === ".mcp.json" ? { one: ONE } : {};
    const { mcpServers, ...rest } = config as { mcpServers?: object };
    write(file, mcpServers ? { ...rest, mcpServers: { ...own, ...mcpServers } } : rest);
    const { code, findings } = await check();
    expect(code).toBe(1);
    expect(findings).toMatchObject([
      { rule: "mcp/not-pinned", level: "error", note: expect.stringContaining(words), place: { server: "two" } },
    ]);
  });

  test.each([
    [".roo/mcp.json", JSON.stringify({ mcpServers: { two: { command, disabled: true } } })],
    [".codex/config.toml", `[mcp_servers.two]\ncommand = "x"\nenabled = false\n`],
    [".gemini/settings.json", JSON.stringify({ mcpServers: { two: { command } }, mcp: { excluded: ["two"] } })],
    [".gemini/settings.json", JSON.stringify({ mcpServers: { two: { command } }, mcp: { allowed: ["one"] } })],
    ["opencode.json", JSON.stringify({ mcp: { two: { command: ["x"], type: "local", enabled: false } } })],
  ])("%s: a documented switch counts (%#)", async (file, text) => {
    await pinned();
    write(file, text);
    expect(await check()).toEqual({ code: 0, findings: [] });
  });
});

describe("on the machine of one person", () => {
  const NOTE =
    "note: two is left out: .mcp.json:9: .claude/settings.local.json:3 switches it off only for Claude Code\n";

  test("init starts no server that this person rejected, and says where", async () => {
    configure({ one: ONE, two: tracing() });
    reject(LOCAL, "two");
    expect(await run(["init", "--yes"])).toMatchObject({ code: 0, stderr: expect.stringContaining(NOTE) });
    expect(world.workspace.lock().servers.map(({ name }) => name)).toEqual(["one"]);
    expect(existsSync(trace())).toBe(false);
    expect(await check()).toMatchObject({ code: 1, findings: [{ rule: "mcp/not-pinned", level: "error" }] });
  });

  test("init starts no server with a switch that its client may not read", async () => {
    configure({ one: ONE, two: { ...tracing(), disabled: true } });
    const { stderr } = await run(["init", "--yes"]);
    expect(stderr).toContain(
      "two is left out: .mcp.json:9: disabled: true is not a switch that Claude Code is documented",
    );
    expect(existsSync(trace())).toBe(false);
  });

  test("status and doctor leave it out with its place, but not where they speak for everyone", async () => {
    await pinned();
    configure({ one: ONE, two: tracing() });
    reject(LOCAL, "two");
    expect(await run(["status"])).toMatchObject({ code: 0, stderr: expect.stringContaining(NOTE) });
    expect(await run(["status", "--scope", "project"])).toMatchObject({
      code: 1,
      stderr: expect.not.stringContaining(LOCAL),
    });
    const doctor = await run(["doctor"]);
    expect(doctor.stderr).toContain(NOTE);
    expect(doctor.stdout).not.toContain("two");
    expect((await run(["doctor", "--scope", "project"])).stdout).toContain("two");
    reject(SHARED, "two");
    expect((await run(["status", "--scope", "project"])).stderr).toContain(`${SHARED}:3 switches it off`);
  });

  test("wrap leaves it, and unwrap takes a guard away in front of it", async () => {
    await pinned();
    configure({ one: ONE, two: ONE });
    const wrap = ["wrap", "--mcp-config", ".mcp.json"];
    reject(LOCAL, "two");
    expect((await run(wrap)).stderr).toContain("two is left out: .mcp.json:9");
    const entries = () => JSON.parse(readFileSync(world.workspace.path(".mcp.json"), "utf8")).mcpServers;
    expect(entries()).toMatchObject({ one: { args: expect.arrayContaining(["guard"]) }, two: ONE });
    reject(LOCAL);
    await run(wrap);
    reject(LOCAL, "two");
    expect(await run(["unwrap", "--mcp-config", ".mcp.json"])).toMatchObject({ code: 0 });
    expect(entries()).toEqual({ one: ONE, two: ONE });
  });
});
