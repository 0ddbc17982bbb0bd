import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hostile } from "../support/hostile.ts";
import { projectAndHome } from "../support/project-and-home.ts";
import { ONE_ERA } from "../support/short-visits.ts";
import { runInTerminal } from "../support/terminal.ts";

const [command = "", ...args] = hostile("terminal-escapes");
const env = { HOSTILE_TEXT: "before" };
const entry = { command, args, env };
const world = projectAndHome(ONE_ERA);
const sources = () => world.workspace.lock().sources;
const pin = (...words: readonly string[]) => world.run(["pin", ...words], env);

describe("pin records the entries of configurations that launch the pinned server", () => {
  test("those on the command line, only below the folder of the lock", async () => {
    world.write("services/search/.mcp.json", { mcpServers: { files: entry } });
    writeFileSync(world.home.path("mcp.json"), JSON.stringify({ mcpServers: { mine: entry } }));
    const configs = ["services/search/.mcp.json", world.home.path("mcp.json")];
    expect((await pin(...configs.flatMap((file) => ["--mcp-config", file]))).code).toBe(0);
    expect(sources()).toEqual([{ config: "services/search/.mcp.json", entry: "files", server: "files" }]);
    world.write("services/search/.mcp.json", { mcpServers: { files: { ...entry, args: [...args, "--more"] } } });
    const check = await world.run(["check"], env);
    expect(check).toMatchObject({ code: 2, stdout: expect.stringContaining("services/search/.mcp.json:") });
  });

  test("those of the project that launch the command, under whatever name", async () => {
    world.write(".mcp.json", { mcpServers: { theirs: entry, other: { ...entry, args: ["other.js"] } } });
    world.write(".cursor/mcp.json", { mcpServers: { it: entry } });
    expect((await pin("--name", "it", "--env", "HOSTILE_TEXT", "--", command, ...args)).code).toBe(0);
    expect(sources()).toEqual([
      { config: ".cursor/mcp.json", entry: "it", server: "it" },
      { config: ".mcp.json", entry: "theirs", server: "it" },
    ]);
    // The lock was not made by init, so the other server is only a warning.
    const { stdout } = await world.run(["check", "--format", "json"], env);
    const found = JSON.parse(stdout).findings.map(({ rule, level }: { rule: string; level: string }) => [rule, level]);
    expect(found).toEqual([["mcp/not-pinned", "warning"]]);
  });

  test("no entry where no configuration launches it", async () => {
    world.write(".mcp.json", { mcpServers: { it: { ...entry, args: ["other.js"] } } });
    expect((await pin("--name", "it", "--env", "HOSTILE_TEXT", "--", command, ...args)).code).toBe(0);
    expect(sources()).toBeUndefined();
  });
});

describe("a launch that fetches the newest version", () => {
  const { PATH } = process.env;
  const FLOATING = { mcpServers: { charts: { command: "npx", args: ["-y", "charts-mcp@latest"], env } } };
  beforeEach(() => {
    const program = (name: string, lines: string) =>
      writeFileSync(world.home.path(name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
    program("npm", `echo '"1.2.3"'`);
    program("npx", `exec '${command}' '${args[0]}'`);
    process.env["PATH"] = `${world.home.folder}:${PATH}`;
  });
  afterEach(() => {
    process.env["PATH"] = PATH;
  });
  const lastWord = () => {
    const [server] = world.workspace.lock().servers;
    return server?.launch.type === "stdio" ? server.launch.args.at(-1) : undefined;
  };
  const configured = () => readFileSync(world.workspace.path(".mcp.json"), "utf8");

  test("is pinned exactly, and written so into the configurations that have it", async () => {
    world.write(".mcp.json", FLOATING);
    const run = await pin("--pin-versions", "--env", "HOSTILE_TEXT", "--", "npx", "-y", "charts-mcp@latest");
    expect(run.code).toBe(0);
    expect(lastWord()).toBe("charts-mcp@1.2.3");
    expect(configured()).toContain('"charts-mcp@1.2.3"');
    expect(sources()).toMatchObject([{ config: ".mcp.json", entry: "charts" }]);
    expect((await world.run(["check"], env)).code).toBe(0);
  });

  test("is pinned exactly from a configuration, which is edited", async () => {
    world.write("clients.json", FLOATING);
    expect((await pin("--pin-versions", "--mcp-config", "clients.json", "--format", "json")).code).toBe(0);
    expect(lastWord()).toBe("charts-mcp@1.2.3");
    expect(readFileSync(world.workspace.path("clients.json"), "utf8")).toContain("charts-mcp@1.2.3");
  });

  test("stays unchanged without a terminal, and a note names the option", async () => {
    world.write(".mcp.json", FLOATING);
    const before = configured();
    const run = await pin("--mcp-config", ".mcp.json");
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining("--pin-versions writes exact ones") });
    expect([lastWord(), configured()]).toEqual(["charts-mcp@latest", before]);
  });

  test("is exit code 2 where the registry names no version, and the server is pinned as it is", async () => {
    world.write(".mcp.json", FLOATING);
    writeFileSync(world.home.path("npm"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const run = await pin("--pin-versions", "--mcp-config", ".mcp.json");
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("npm could not report the version") });
    expect(lastWord()).toBe("charts-mcp@latest");
  });

  test("leaves the configuration alone where another state is pinned", async () => {
    world.write(".mcp.json", FLOATING);
    expect((await pin("--name", "charts", "--env", "HOSTILE_TEXT", "--", command, ...args, "old")).code).toBe(0);
    const before = configured();
    expect((await pin("--pin-versions", "--mcp-config", ".mcp.json")).code).toBe(1);
    expect(configured()).toBe(before);
  });

  test("is exact after an approval on a terminal, in lock and configuration", async () => {
    world.write(".mcp.json", FLOATING);
    expect((await pin("--mcp-config", ".mcp.json")).code).toBe(0);
    const cwd = world.workspace.folder;
    const run = await runInTerminal(
      ["approve", "charts"],
      [
        ["Ask the registry for exact versions", "y"],
        ["Write this state of charts", "y"],
      ],
      { cwd, env: { ...env, HOME: world.home.folder } },
    );
    expect(run).toMatchObject({ code: 0, unasked: [] });
    expect([lastWord(), configured().includes("charts-mcp@1.2.3")]).toEqual(["charts-mcp@1.2.3", true]);
    expect((await world.run(["check"], env)).code).toBe(0);
  });
});
