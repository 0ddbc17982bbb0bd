import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hostile } from "./support/hostile.ts";
import { Workspace } from "./support/workspace.ts";

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace[Symbol.dispose]());

// Not in the form of any known token: only the rule that values are never written can keep it out.
const SECRET = "correct horse battery staple";
const [command, script] = hostile("terminal-escapes");

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

describe("agentprint pin --config", () => {
  it("reads mcpServers, as Claude and Cursor write them, and keeps values out of the lock", async () => {
    write({
      mcpServers: {
        two: { command, args: [script], env: { HOSTILE_TEXT: SECRET } },
        one: { type: "stdio", command, args: [script, "--verbose"] },
        off: { command: "no-such-command", disabled: true },
      },
    });
    const run = await workspace.run(["pin", "--config", "mcp.json"]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(locked().map(({ name, launch }) => ({ name, launch }))).toEqual([
      { name: "one", launch: { type: "stdio", command, args: [script, "--verbose"], env: [] } },
      { name: "two", launch: { type: "stdio", command, args: [script], env: ["HOSTILE_TEXT"] } },
    ]);
    // What the server itself says is another matter: it is what the model would read.
    expect(JSON.stringify(workspace.lock().servers.map(({ launch }) => launch))).not.toContain(SECRET);
    expect((await workspace.run(["check", "--config", "mcp.json"])).code).toBe(0);
    const without = await workspace.run(["check"]);
    expect(without.code).toBe(2);
    expect(without.stderr).toContain("the environment variable HOSTILE_TEXT is not set");
    expect((await workspace.run(["check"], { HOSTILE_TEXT: SECRET })).code).toBe(0);
  });

  it("reads servers and inputs, as VS Code writes them, with comments", async () => {
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
    const missing = await workspace.run(["pin", "--config", "mcp.json"], { SCRIPT: script ?? "" });
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain("AGENTPRINT_INPUT_THE_TEXT");
    const env = { SCRIPT: script ?? "", AGENTPRINT_INPUT_THE_TEXT: "hello" };
    expect(await workspace.run(["pin", "--config", "mcp.json"], env)).toMatchObject({ code: 0, stderr: "" });
    expect(locked()).toMatchObject([
      { launch: { args: ["$".concat("{env:SCRIPT}")] }, says: expect.stringMatching(/^hello in \/.*agentprint-test-/) },
    ]);
  });

  it("passes on what an envFile has, behind env, and keeps its values out of the lock", async () => {
    writeFileSync(workspace.path(".env"), `# the server's\nexport HOSTILE_TEXT="${SECRET}"\nOTHER=from the file\n`);
    const envFile = "$".concat("{workspaceFolder}/.env");
    write({
      servers: {
        file: { command, args: [script], envFile },
        both: { command, args: [script], envFile, env: { HOSTILE_TEXT: "from env" } },
      },
    });
    const run = await workspace.run(["pin", "--config", "mcp.json"]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    const env = expect.arrayContaining(["HOSTILE_TEXT", "OTHER"]);
    expect(locked()).toMatchObject([
      { name: "both", launch: { env }, says: "from env" },
      { name: "file", launch: { env }, says: SECRET },
    ]);
    expect(JSON.stringify(workspace.lock().servers.map(({ launch }) => launch))).not.toContain(SECRET);
    expect((await workspace.run(["check", "--config", "mcp.json"])).code).toBe(0);
  });

  it("could not tell when an envFile is missing", async () => {
    write({ servers: { it: { command, args: [script], envFile: "no-such.env" } } });
    const run = await workspace.run(["pin", "--config", "mcp.json"]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("cannot read no-such.env");
  });

  it("has no option for a configuration that is too long", async () => {
    write(`{"mcpServers":{}}${" ".repeat(1024 * 1024)}`);
    const run = await workspace.run(["pin", "--config", "mcp.json", "--max-bytes", "2000000"]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("mcp.json is longer than 1048576 bytes");
    expect(run.stderr).not.toContain("--max-bytes");
  });

  it("fills in a variable written bare, as Claude Code does, and its default", async () => {
    const text = "$".concat("{GREETING:-nobody there}");
    write({ mcpServers: { it: { command, args: ["$".concat("{SCRIPT}")], env: { HOSTILE_TEXT: text } } } });
    const run = await workspace.run(["pin", "--config", "mcp.json"], { SCRIPT: script ?? "" });
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(locked()).toMatchObject([{ launch: { args: ["$".concat("{env:SCRIPT}")] }, says: "nobody there" }]);
  });

  it("pins one of them by name", async () => {
    write({ mcpServers: { a: { command, args: [script] }, b: { command: "no-such-command" } } });
    expect((await workspace.run(["pin", "--config", "mcp.json", "--name", "a"])).code).toBe(0);
    expect(locked().map(({ name }) => name)).toEqual(["a"]);
  });

  it("writes nothing when one of several servers could not be read", async () => {
    write({ mcpServers: { a: { command, args: [script] }, b: { command: "no-such-command" } } });
    const run = await workspace.run(["pin", "--config", "mcp.json"]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain("b: cannot start no-such-command");
    expect(() => workspace.lockText()).toThrow("ENOENT");
  });

  it("reports a launch that changed and a server that is not pinned", async () => {
    write({ mcpServers: { a: { command, args: [script] } } });
    expect((await workspace.run(["pin", "--config", "mcp.json"])).code).toBe(0);
    write({ mcpServers: { a: { command, args: [script, "--more"] }, b: { command, args: [script] } } });
    const run = await workspace.run(["check", "--config", "mcp.json", "--format", "json"]);
    expect(run.code).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({
      servers: [
        { server: "a", drifts: [{ part: "launch", changes: [{ pointer: "/args/1", after: "--more" }] }] },
        { server: "b", drifts: [{ type: "server-not-locked" }] },
      ],
    });
  });

  it.each([
    { name: "no JSON", text: '{\n  "mcpServers": {,}\n}', says: ["invalid-config", "mcp.json:2:18"] },
    { name: "no servers", text: "{}", says: ["invalid-config", "no mcpServers and no servers"] },
    { name: "a server without a command", text: '{"servers":{"x":{}}}', says: ["mcp.json, server x", "url"] },
    { name: "arguments that are no list", text: '{"servers":{"x":{"command":"a","args":"b"}}}', says: ["args"] },
    { name: "an address that is none", text: '{"servers":{"x":{"url":"ftp://a"}}}', says: ["x: this is not an HTTP"] },
    { name: "a NUL in a variable", text: '{"servers":{"x":{"command":"a","env":{"A":"b\\u0000c"}}}}', says: ["NUL"] },
    { name: "no server at all", text: '{"mcpServers":{}}', says: ["has no servers"] },
  ])("refuses $name and says where", async ({ text, says }) => {
    write(text);
    const run = await workspace.run(["pin", "--config", "mcp.json"]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    for (const words of says) expect(run.stderr).toContain(words);
  });
});
