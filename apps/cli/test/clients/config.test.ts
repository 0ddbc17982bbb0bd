import { copyFileSync, realpathSync, writeFileSync } from "node:fs";
import { basename, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hostile } from "../support/hostile.ts";
import { ONE_ERA } from "../support/short-visits.ts";
import { Workspace } from "../support/workspace.ts";

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace(ONE_ERA);
});
afterEach(() => workspace[Symbol.dispose]());

// It does not look like any known token, so only the rule that values are never written keeps it out.
const SECRET = "correct horse battery staple";
const [command, script] = hostile("terminal-escapes");

const ref = (name: string): string => `\${${name}}`;

function write(value: unknown): void {
  writeFileSync(workspace.path("mcp.json"), typeof value === "string" ? value : JSON.stringify(value));
}

function locked(): { name: string; launch: unknown; says: unknown }[] {
  return workspace.lock().servers.map(({ name, launch, tools }) => ({
    name,
    launch,
    says: tools.find(({ definition }) => definition["name"] === "read")?.definition["description"],
  }));
}

describe("agentprint pin --mcp-config", () => {
  test("reads mcpServers, as Claude and Cursor write them, and keeps values out of the lock", async () => {
    write({
      mcpServers: {
        two: { command, args: [script], env: { HOSTILE_TEXT: SECRET } },
        one: { type: "stdio", command, args: [script, "--verbose"] },
        off: { command: "no-such-command", disabled: true },
      },
    });
    const run = await workspace.run(["pin", "--mcp-config", "mcp.json"]);
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining("2 servers offer a tool of this name") });
    expect(locked().map(({ name, launch }) => ({ name, launch }))).toEqual([
      { name: "one", launch: { type: "stdio", command, args: [script, "--verbose"], env: [] } },
      { name: "two", launch: { type: "stdio", command, args: [script], env: ["HOSTILE_TEXT"] } },
    ]);
    // The server's own texts are not redacted, because the model would read them.
    expect(JSON.stringify(workspace.lock().servers.map(({ launch }) => launch))).not.toContain(SECRET);
    expect((await workspace.run(["check", "--mcp-config", "mcp.json"])).code).toBe(0);
    // The lock names the file, from which the values are read again.
    expect((await workspace.run(["check"])).code).toBe(0);
  });

  test("reads servers and inputs, as VS Code writes them, with comments", async () => {
    write(`{
      // asked for once by the editor
      "inputs": [{ "type": "promptString", "id": "the-text", "password": true }],
      "servers": {
        "it": {
          "command": "${command}",
          "args": ["\${env:SCRIPT}"],
          "env": { "HOSTILE_TEXT": "\${input:the-text} in \${workspaceFolder}", },
        },
      },
    }`);
    const missing = await workspace.run(["pin", "--mcp-config", "mcp.json"], { SCRIPT: script ?? "" });
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain("AGENTPRINT_INPUT_THE_TEXT");
    const env = { SCRIPT: script ?? "", AGENTPRINT_INPUT_THE_TEXT: "hello" };
    expect(await workspace.run(["pin", "--mcp-config", "mcp.json"], env)).toMatchObject({ code: 0 });
    expect(locked()).toMatchObject([
      { launch: { args: ["$".concat("{env:SCRIPT}")] }, says: expect.stringMatching(/^hello in \/.*agentprint-test-/) },
    ]);
  });

  test("passes on the variables of an envFile, behind env, and keeps its values out of the lock", async () => {
    writeFileSync(workspace.path(".env"), `# the server's\nexport HOSTILE_TEXT="${SECRET}"\nOTHER=from the file\n`);
    const envFile = "$".concat("{workspaceFolder}/.env");
    write({
      servers: {
        file: { command, args: [script], envFile },
        both: { command, args: [script], envFile, env: { HOSTILE_TEXT: "from env" } },
      },
    });
    const run = await workspace.run(["pin", "--mcp-config", "mcp.json"]);
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining("2 servers offer a tool of this name") });
    const env = expect.arrayContaining(["HOSTILE_TEXT", "OTHER"]);
    expect(locked()).toMatchObject([
      { name: "both", launch: { env }, says: "from env" },
      { name: "file", launch: { env }, says: SECRET },
    ]);
    expect(JSON.stringify(workspace.lock().servers.map(({ launch }) => launch))).not.toContain(SECRET);
    expect((await workspace.run(["check", "--mcp-config", "mcp.json"])).code).toBe(0);
  });

  test.each([
    { name: "an envFile is missing", entry: { envFile: "no-such.env" }, says: ["cannot read no-such.env"] },
    {
      name: "a variable is the editor's",
      entry: { args: [script, `--root=${ref("config:app.root")}`] },
      says: ["invalid-config", "mcp.json, server it", ref("config:…")],
    },
    {
      name: "a variable of env is the editor's",
      entry: { env: { ROOT: ref("workspaceFolder:other") } },
      says: ["invalid-config", ref("workspaceFolder:…")],
    },
    { name: "its folder is missing", entry: { cwd: "no-such-folder" }, says: ["server-not-started", "no-such-folder"] },
    { name: "its folder is a file", entry: { cwd: "mcp.json" }, says: ["server-not-started", "mcp.json", "cwd"] },
  ])("cannot tell about one server when $name, and still reads the others", async ({ entry, says }) => {
    write({ servers: { it: { command, args: [script], ...entry }, other: { command, args: [script] } } });
    const run = await workspace.run(["pin", "--mcp-config", "mcp.json"]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    for (const words of [...says, "error: it: "]) expect(run.stderr).toContain(words);
    expect(run.stderr).not.toContain("PATH");
    expect((await workspace.run(["pin", "--mcp-config", "mcp.json", "--name", "other"])).code).toBe(0);
  });

  test("fills in the variables of the editor, and leaves those of a shell", async () => {
    const text = ["workspaceFolderBasename", "cwd", "pathSeparator", "/"].map(ref).join(" ");
    const rest = [ref("SHELL_OPTION:0:3"), ref("SHELL_OPTION:=none")];
    write({
      servers: { it: { command, args: [`${ref("cwd")}${ref("/")}server.mjs`, ...rest], env: { HOSTILE_TEXT: text } } },
    });
    copyFileSync(script ?? "", workspace.path("server.mjs"));
    copyFileSync(fileURLToPath(new URL("../hostile/protocol.mjs", import.meta.url)), workspace.path("protocol.mjs"));
    const env = { HOSTILE_TEXT: `${basename(workspace.folder)} ${realpathSync(workspace.folder)} ${sep} ${sep}` };
    expect(await workspace.run(["pin", "--mcp-config", "mcp.json"])).toMatchObject({ code: 0 });
    expect(locked()).toMatchObject([
      { launch: { args: [`${ref("workspaceFolder")}${ref("/")}server.mjs`, ...rest] }, says: env.HOSTILE_TEXT },
    ]);
    expect(await workspace.run(["check"], env)).toMatchObject({ code: 0, stderr: "" });
  });

  test("passes on no variable that is null", async () => {
    writeFileSync(workspace.path(".env"), "HOSTILE_TEXT=from the file\nOTHER=from the file\n");
    write({ servers: { it: { command, args: [script], envFile: ".env", env: { HOSTILE_TEXT: null, MORE: 1 } } } });
    expect(await workspace.run(["pin", "--mcp-config", "mcp.json"])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("characters that a reader does not see"),
    });
    expect(locked()).toMatchObject([{ launch: { env: ["MORE", "OTHER"] }, says: expect.stringContaining("owned") }]);
  });

  test("refuses a configuration that is too long", async () => {
    write(`{"mcpServers":{}}${" ".repeat(16 * 1024 * 1024)}`);
    const run = await workspace.run(["pin", "--mcp-config", "mcp.json"]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("mcp.json is longer than 16777216 bytes");
  });

  test("fills in a variable written bare, as Claude Code does, and its default", async () => {
    const text = "$".concat("{GREETING:-nobody there}");
    write({ mcpServers: { it: { command, args: ["$".concat("{SCRIPT}")], env: { HOSTILE_TEXT: text } } } });
    const run = await workspace.run(["pin", "--mcp-config", "mcp.json"], { SCRIPT: script ?? "" });
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(locked()).toMatchObject([{ launch: { args: ["$".concat("{env:SCRIPT}")] }, says: "nobody there" }]);
  });

  test("pins one of them by name", async () => {
    write({ mcpServers: { a: { command, args: [script] }, b: { command: "no-such-command" } } });
    expect((await workspace.run(["pin", "--mcp-config", "mcp.json", "--name", "a"])).code).toBe(0);
    expect(locked().map(({ name }) => name)).toEqual(["a"]);
  });

  test("writes nothing when one of several servers could not be read", async () => {
    write({ mcpServers: { a: { command, args: [script] }, b: { command: "no-such-command" } } });
    const run = await workspace.run(["pin", "--mcp-config", "mcp.json"]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain("b: cannot start no-such-command");
    expect(run.stderr).toContain("note: nothing was pinned; --keep-going pins the other server\n");
    expect(() => workspace.lockText()).toThrow("ENOENT");
  });

  test("with --keep-going pins the servers that could be read, names the missing ones, and ends 2", async () => {
    const [, garbage] = hostile("duplicate-tools");
    write({
      mcpServers: {
        a: { command, args: [script] },
        b: { command: "no-such-command" },
        c: { command, args: [garbage] },
        d: { command, args: [script] },
      },
    });
    const args = ["pin", "--mcp-config", "mcp.json", "--keep-going"];
    const run = await workspace.run(args);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("error: b: cannot start no-such-command");
    expect(run.stderr).toContain("error: the answers of c cannot be pinned");
    expect(run.stdout).toMatch(/^pinned a .*\npinned d .*\nnot pinned b, c\n/s);
    expect(locked().map(({ name }) => name)).toEqual(["a", "d"]);
    const json = await workspace.run([...args, "--format", "json"]);
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject({ servers: [{ name: "a" }, { name: "d" }], missing: ["b", "c"] });
    write({ mcpServers: { b: { command: "no-such-command" } } });
    expect(await workspace.run(args)).toMatchObject({ code: 2, stdout: "" });
  });

  test.each([
    ["check", "--allow-changed-launch"],
    ["approve", "a"],
  ])("says once why %s could not read a server", async (...args) => {
    write({ mcpServers: { a: { command, args: [script] } } });
    expect((await workspace.run(["pin", "--mcp-config", "mcp.json"])).code).toBe(0);
    write({ mcpServers: { a: { command: "no-such-command" } } });
    const { code, stdout, stderr } = await workspace.run([...args, "--mcp-config", "mcp.json"]);
    expect([code, `${stdout}${stderr}`.match(/cannot start no-such-command/g)]).toEqual([2, [expect.anything()]]);
  });

  test("reports a launch that changed and a server that is not pinned", async () => {
    write({ mcpServers: { a: { command, args: [script] } } });
    expect((await workspace.run(["pin", "--mcp-config", "mcp.json"])).code).toBe(0);
    write({ mcpServers: { a: { command, args: [script, "--more"] }, b: { command, args: [script] } } });
    const check = ["check", "--mcp-config", "mcp.json", "--format", "json"];
    const held = await workspace.run(check);
    expect(held.code).toBe(2);
    expect(JSON.parse(held.stdout).servers).toMatchObject([{ server: "a", failure: { code: "not-started" } }]);
    const run = await workspace.run([...check, "--allow-changed-launch"]);
    expect(run.code).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({
      servers: [
        { server: "a", drifts: [{ part: "launch", changes: [{ pointer: "/args/1", after: "--more" }] }] },
        { server: "b", drifts: [{ type: "server-not-locked" }] },
      ],
    });
  });

  test.each([
    { name: "no JSON", text: '{\n  "mcpServers": {,}\n}', says: ["invalid-config", "mcp.json:2:18"] },
    {
      name: "a server twice",
      text: '{"mcpServers":{"a":{"command":"x"},\n  "\\u0061":{"command":"y"}}}',
      says: ["invalid-config", "mcp.json:2:3", '"a" is used for two members'],
    },
    {
      name: "a member twice",
      text: '{"servers":{"a":{"command":"x","command":"y"}}}',
      says: ["mcp.json:1:32", '"command" is used for two members'],
    },
    { name: "all servers twice", text: '{"servers":{},"servers":{}}', says: ["mcp.json:1:15", "two members"] },
    { name: "a server named __proto__", text: '{"servers":{"__proto__":{}}}', says: ["mcp.json:1:13", "__proto__"] },
    { name: "no servers", text: "{}", says: ["invalid-config", "one of the members mcpServers, servers"] },
    { name: "a server without a command", text: '{"servers":{"x":{}}}', says: ["mcp.json:1, server x", "url"] },
    { name: "arguments that are no list", text: '{"servers":{"x":{"command":"a","args":"b"}}}', says: ["args"] },
    { name: "an address that is none", text: '{"servers":{"x":{"url":"ftp://a"}}}', says: ["x: this is not an HTTP"] },
    {
      name: "an address that is none by default",
      text: `{"servers":{"x":{"url":"${ref("NO_SUCH_URL:-ftp://b")}"}}}`,
      says: [`not an HTTP address: ${ref("env:NO_SUCH_URL:-ftp://b")}`],
    },
    {
      name: "a NUL in a variable",
      text: '{"servers":{"x":{"command":"node","env":{"A":"b\\u0000c"}}}}',
      says: ["NUL"],
    },
    { name: "no server at all", text: '{"mcpServers":{}}', says: ["has no servers"] },
  ])("refuses $name and names the place", async ({ text, says }) => {
    write(text);
    const run = await workspace.run(["pin", "--mcp-config", "mcp.json"]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    for (const words of says) expect(run.stderr).toContain(words);
  });
});
