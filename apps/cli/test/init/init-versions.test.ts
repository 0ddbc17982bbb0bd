import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hostile } from "../support/hostile.ts";
import type { RunResult } from "../support/run-cli.ts";
import { ONE_ERA } from "../support/short-visits.ts";
import { Workspace } from "../support/workspace.ts";

const [command, script] = hostile("terminal-escapes");
const { PATH } = process.env;

let [workspace, home] = [] as unknown as [Workspace, Workspace];
beforeEach(() => {
  [workspace, home] = [new Workspace(ONE_ERA), new Workspace()];
});
afterEach(() => {
  process.env["PATH"] = PATH;
  for (const each of [workspace, home]) each[Symbol.dispose]();
});

function write(file: string, text: string): void {
  mkdirSync(dirname(workspace.path(file)), { recursive: true });
  writeFileSync(workspace.path(file), text);
}

function read(file: string): string {
  return readFileSync(workspace.path(file), "utf8");
}

function init(...args: string[]): Promise<RunResult> {
  return workspace.run(["init", "--yes", ...args], { HOME: home.folder, XDG_CONFIG_HOME: "", CODEX_HOME: "" });
}

describe("exact versions", () => {
  /**
   * Replaces npm, uv, npx and uvx with programs that answer like a registry that has a newer version of each package.
   */
  function fakePrograms(): void {
    const write = (name: string, lines: string): void =>
      writeFileSync(home.path(name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
    write("npm", `echo "$@" >> ${home.path("asked")}\necho '["1.2.0", "1.2.3"]'`);
    write("uv", `echo "$@" >> ${home.path("asked")}\nsed 's/>.*//; s/$/==2.0.1/'`);
    for (const runner of ["npx", "uvx"]) write(runner, `exec '${command}' '${script}'`);
    process.env["PATH"] = `${home.folder}:${PATH}`;
  }

  const FILES = {
    ".mcp.json": `{
  // the maps
  "mcpServers": { "one": { "command": "npx", "args": ["-y", "charts-mcp@^1.2.0" /* soon 2 */,], "env": { "MODE": "s3cr3t" } }, },
}
`,
    "opencode.jsonc": '\ufeff{ "mcp": { "two": { "type": "local", "command": ["npx", "-y", "@charts/two"] } } }\r\n',
    ".codex/config.toml": "[mcp_servers.three] # three\r\ncommand = 'uvx'\r\nargs = [ 'charts-three' ] # old\r\n",
    ".continue/mcpServers/four.yaml":
      "mcpServers:\n  - name: four # 4\n    command: uvx\n    args:\n      - charts-four>=2 # this\n",
  };
  const PINNED = {
    ".mcp.json": FILES[".mcp.json"].replace("charts-mcp@^1.2.0", "charts-mcp@1.2.3"),
    "opencode.jsonc": FILES["opencode.jsonc"].replace("@charts/two", "@charts/two@1.2.3"),
    ".codex/config.toml": FILES[".codex/config.toml"].replace("'charts-three'", '"charts-three==2.0.1"'),
    ".continue/mcpServers/four.yaml": FILES[".continue/mcpServers/four.yaml"].replace(
      "charts-four>=2",
      "charts-four==2.0.1",
    ),
  };
  const contents = (): Record<string, string> =>
    Object.fromEntries(Object.keys(FILES).map((file) => [file, read(file)]));

  test("are written into the configurations of every format, and nothing else in them changes", async () => {
    for (const [file, text] of Object.entries(FILES)) write(file, text);
    fakePrograms();
    const dry = await init("--pin-versions", "--dry-run");
    expect(dry.stdout).toMatch(/^-one: npx -y 'charts-mcp@\^1\.2\.0' .*\n\+one: npx -y charts-mcp@1\.2\.3 /m);
    expect(dry.stdout + dry.stderr).not.toContain("s3cr3t");
    expect(contents()).toEqual(FILES);
    const ran = await init("--pin-versions");
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("wrote .mcp.json\n") });
    expect(ran.stdout).toMatch(/Next: git add agentprint\.lock \.mcp\.json .*agentprint\.config\.json /);
    expect(contents()).toEqual(PINNED);
    const launches = workspace.lock().servers.map(({ launch }) => launch.type === "stdio" && launch.args.at(-1));
    expect(launches.sort()).toEqual([
      "@charts/two@1.2.3",
      "charts-four==2.0.1",
      "charts-mcp@1.2.3",
      "charts-three==2.0.1",
    ]);
  });

  test("are requested only after a yes", async () => {
    write(".mcp.json", FILES[".mcp.json"]);
    fakePrograms();
    expect((await init()).code).toBe(0);
    expect([existsSync(home.path("asked")), read(".mcp.json")]).toEqual([false, FILES[".mcp.json"]]);
  });

  test("digests of images come from their registry, and a registry that does not answer is reported", async () => {
    write(
      ".mcp.json",
      JSON.stringify({ mcpServers: { one: { command: "docker", args: ["run", "-i", "127.0.0.1:1/maps:latest"] } } }),
    );
    fakePrograms();
    writeFileSync(home.path("docker"), `#!/bin/sh\nexec '${command}' '${script}'\n`, { mode: 0o755 });
    const { code, stderr } = await init("--pin-versions");
    expect(code).toBe(2);
    expect(stderr).toMatch(/one: the registry at 127\.0\.0\.1:1 does not answer/);
    expect(stderr).toContain("write an exact version, or the digest of the image, by hand");
  });

  test("that are not available are reported, and the server is pinned as it is", async () => {
    write(".mcp.json", FILES[".mcp.json"]);
    fakePrograms();
    writeFileSync(home.path("npm"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const { code, stderr } = await init("--pin-versions");
    expect(code).toBe(2);
    expect(stderr).toContain("one: npm could not report the version");
    expect(workspace.lock().servers.map(({ name }) => name)).toEqual(["one"]);
    expect(read(".mcp.json")).toBe(FILES[".mcp.json"]);
  });
});
