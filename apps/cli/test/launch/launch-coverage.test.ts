import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ONE_ERA } from "../support/short-visits.ts";
import { Workspace } from "../support/workspace.ts";

const HOSTILE = dirname(fileURLToPath(new URL("../hostile/protocol.mjs", import.meta.url)));

function workspace(): Workspace {
  const space = new Workspace(ONE_ERA);
  copyFileSync(`${HOSTILE}/terminal-escapes.mjs`, space.path("server.mjs"));
  copyFileSync(`${HOSTILE}/protocol.mjs`, space.path("protocol.mjs"));
  return space;
}

const pin = (...launch: string[]): string[] => ["pin", "--name", "s", "--replace", "--", ...launch];

test("the state of a launch is in the lock, and pin and show print it", async () => {
  using space = workspace();
  const { stdout } = await space.run(pin("env", "-S", `'${process.execPath}' --no-warnings server.mjs`));
  expect(stdout).toContain("launch files: the files that the launch names are pinned");
  expect(space.lock().servers).toMatchObject([{ coverage: { state: "files" }, files: [{ pointer: "/args/1" }] }]);
  expect((await space.run(["show", "s"])).stdout).toContain("covered   files: ");

  const open = await space.run(pin(process.execPath, "--import", "data:text/javascript,0", "server.mjs"));
  expect(open.stdout).toContain("launch not covered: it is unknown what data:text/javascript,0 leads to");
  expect(open.stderr).toContain("digests do not cover what this word of the launch refers to");
  expect(space.lock().servers).toMatchObject([{ coverage: { state: "not covered", pointer: "/args/1" } }]);
  expect((await space.run(["check"])).code).toBe(0);
});

test("a launch that is not covered is an error where the preset is strict, and the lock stays as it is", async () => {
  using space = workspace();
  const launch = pin(process.execPath, "--import", "data:text/javascript,0", "server.mjs");
  writeFileSync(space.path("agentprint.config.json"), JSON.stringify({ preset: "strict" }));
  const refused = await space.run(launch);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("not-covered") });
  expect((await space.run(["status"])).code).toBe(2);
  expect((await space.run(pin(process.execPath, "server.mjs"))).code).toBe(0);

  writeFileSync(space.path("agentprint.config.json"), JSON.stringify({ preset: "compatible" }));
  expect((await space.run(launch)).code).toBe(0);
  // Launches that were already pinned stay pinned.
  writeFileSync(space.path("agentprint.config.json"), JSON.stringify({ preset: "strict" }));
  expect((await space.run(["check"])).stderr).not.toContain("not-covered");
});

test.each([
  ["npx -y tsx a.ts", "tsx"],
  ["uv run --with mcp[cli] mcp run server.py", "mcp[cli]"],
  ["uvx --from mcp[cli] mcp run server.py", "mcp[cli]"],
  ["bunx tsx a.ts", "tsx"],
  ["npx -y some-mcp", "some-mcp"],
])("a package without a version is not covered, also in front of a file: %s", async (line, word) => {
  using space = workspace();
  mkdirSync(space.path("bin"));
  const [program = "", ...args] = line.split(" ");
  const script = `#!/bin/sh\nexec "${process.execPath}" "${space.path("server.mjs")}"\n`;
  writeFileSync(space.path(`bin/${program}`), script);
  chmodSync(space.path(`bin/${program}`), 0o755);
  for (const file of ["a.ts", "server.py"]) writeFileSync(space.path(file), "");
  writeFileSync(space.path("agentprint.config.json"), JSON.stringify({ preset: "strict" }));
  const refused = await space.run(pin(space.path(`bin/${program}`), ...args));
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("not-covered") });
  expect(refused.stdout + refused.stderr).toContain(word);
});

test.each([
  ["in a file with variables", ["--env-file=.env", "server.mjs"], {}],
  ["that is passed on", ["server.mjs"], { NODE_OPTIONS: "--import ./evil.mjs" }],
])("a variable %s that loads code is refused, and nothing is started", async (_, args, env) => {
  using space = workspace();
  writeFileSync(space.path("evil.mjs"), `import { writeFileSync } from "node:fs"; writeFileSync("ran", "");`);
  writeFileSync(space.path(".env"), "OTHER=1\nexport NODE_OPTIONS='--import ./evil.mjs'\n");
  const names = Object.keys(env).flatMap((name) => ["--env", name]);
  const refused = await space.run(["pin", "--name", "s", ...names, "--", process.execPath, ...args], env);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("launch-loads-code") });
  expect(refused.stderr).toContain("NODE_OPTIONS");

  writeFileSync(space.path(".env"), "OTHER=1\n");
  if (names.length > 0) return;
  expect((await space.run(["pin", "--name", "s", "--", process.execPath, ...args])).stdout).toContain(
    "the variables in .env are not pinned",
  );
});

test.each([
  ["PATH", "bin:/usr/bin"],
  ["npm_config_userconfig", "/etc/other.npmrc"],
  ["npm_config_script-shell", "./sh"],
])("another value of %s is no longer the pinned launch", async (name, value) => {
  using space = workspace();
  const config = (env: object): void => {
    const entry = { command: process.execPath, args: ["server.mjs"], env };
    writeFileSync(space.path(".mcp.json"), JSON.stringify({ mcpServers: { s: entry } }));
  };
  config({ [name]: name === "PATH" ? "/usr/bin" : "" });
  expect((await space.run(["pin", "--mcp-config", ".mcp.json"])).code).toBe(0);
  config({ [name]: value });
  const changed = await space.run(["check", "--mcp-config", ".mcp.json"]);
  expect(changed).toMatchObject({ code: 2, stderr: expect.stringContaining("launch-loads-code") });
  expect(changed.stdout).toContain(`${name} makes the launch of s load code that it does not name`);
});
