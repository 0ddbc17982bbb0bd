import { existsSync, renameSync, writeFileSync } from "node:fs";
import { outputOf } from "@agentprint/testing/programs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hostile } from "../support/hostile.ts";
import { httpServer, sendJson } from "../support/http-server.ts";
import { ONE_ERA } from "../support/short-visits.ts";
import { Workspace } from "../support/workspace.ts";

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace(ONE_ERA);
});
afterEach(() => workspace[Symbol.dispose]());

const [command = "", ...args] = hostile("terminal-escapes");
const text = { HOSTILE_TEXT: "after" };

/** Returns the last line of a check. */
function suggestion(stdout: string): string {
  return /after review, run: (agentprint approve .*)/.exec(stdout)?.[1] ?? "";
}

/** Splits a suggested line into words as a shell would, and returns all words except the first. */
function wordsOf(line: string): string[] {
  const script = `agentprint() { printf '%s\\0' "$@"; }; ${line}`;
  return outputOf("sh", ["-c", script], { cwd: workspace.folder }).split("\0").slice(0, -1);
}

describe.skipIf(process.platform === "win32")("the line that says how to approve", () => {
  test.each([
    {
      name: "a launch after --",
      options: ["--env", "HOSTILE_TEXT"],
      launch: ["--", command, ...args, "two words", "'"],
    },
    { name: "another lock", options: ["--lock", "a b.lock", "--env", "HOSTILE_TEXT"], launch: [] },
    { name: "a name that begins with -", server: "-x", options: ["--env", "HOSTILE_TEXT"], launch: [] },
    { name: "such a name, and a launch", server: "--yes", options: [], launch: ["--", command, ...args, "more"] },
  ])("accepts the findings, with $name", async ({ server = "it", options, launch }) => {
    const lock = options[0] === "--lock" ? options.slice(0, 2) : [];
    expect((await workspace.run(["pin", "--name", server, ...lock, "--", command, ...args])).code).toBe(0);
    const named = server.startsWith("-") ? ["--", server] : [server];
    const check = ["check", ...options, ...named, ...launch];
    const run = await workspace.run(check, text);
    expect(run.code).toBe(1);
    const words = wordsOf(suggestion(run.stdout));
    expect(words).toEqual(expect.arrayContaining([...options, server, "--expect"]));
    expect(await workspace.run(words, text)).toMatchObject({ code: 0, stderr: expect.stringContaining("approved") });
    expect(await workspace.run(check, text)).toMatchObject({ code: 0, stderr: "" });
  });

  test("accepts the findings over HTTP and of a configuration, with the options of both", async () => {
    const remote = await httpServer(({ id }, response) => {
      sendJson(response, JSON.stringify({ jsonrpc: "2.0", id, result: { tools: [] } }));
    });
    try {
      const mcpServers = { local: { command, args }, remote: { url: remote.url } };
      writeFileSync(workspace.path("mcp.json"), JSON.stringify({ mcpServers }));
      await workspace.run(["pin", "--mcp-config", "mcp.json"]);
      const environment = { ...text, AGENTPRINT_HEADER_X: "x" };
      const check = ["check", "--mcp-config", "mcp.json", "--env", "HOSTILE_TEXT", "--header", "X"];
      const { stdout } = await workspace.run(check, environment);
      const words = wordsOf(suggestion(stdout));
      expect(words.slice(0, 3)).toEqual(["approve", "local", "remote"]);
      expect(words).toEqual(expect.arrayContaining(["--env", "HOSTILE_TEXT", "--header", "X"]));
      expect(await workspace.run(words, environment)).toMatchObject({ code: 0 });
      expect((await workspace.run(check, environment)).code).toBe(0);

      const other = ["check", "remote", "--url", `${remote.url}?a=1&b=$HOME`];
      const line = suggestion((await workspace.run(other)).stdout);
      expect(await workspace.run(wordsOf(line))).toMatchObject({ code: 0 });
      expect((await workspace.run(other)).code).toBe(0);
    } finally {
      remote.close();
    }
  });

  test("runs nothing but agentprint, whatever a server is called", async () => {
    const name = "x; touch PWNED #$(touch PWNED)`touch PWNED`'\n\u202e";
    writeFileSync(workspace.path("mcp.json"), JSON.stringify({ mcpServers: { [name]: { command, args } } }));
    await workspace.run(["pin", "--mcp-config", "mcp.json"]);
    const { stdout } = await workspace.run(["check", "--env", "HOSTILE_TEXT"], text);
    expect(wordsOf(suggestion(stdout))).toContain(name.replace("\n\u202e", "\\u{a}\\u{202e}"));
    expect(existsSync(workspace.path("PWNED"))).toBe(false);
  });

  test("shows no secret of a launch", async () => {
    await workspace.run(["pin", "--name", "it", "--", command, ...args]);
    const run = await workspace.run(["check", "it", "--", command, ...args, "--token", "hunter2"]);
    expect(suggestion(run.stdout)).toContain("--token '<redacted>'");
    expect(run.stdout).not.toContain("hunter2");
  });

  test("pin prints the same line if the server is already pinned", async () => {
    const pin = ["pin", "--name", "it", "--lock", "a b.lock"];
    await workspace.run([...pin, "--", command, ...args]);
    const run = await workspace.runAsGiven([...pin, "--", command, ...args, "$HOME"]);
    expect(run.code).toBe(1);
    const line = /with (agentprint approve .*) \(or pin --replace\)/.exec(run.stderr)?.[1] ?? "";
    expect(wordsOf(line)).toEqual(["approve", "it", "--lock", "a b.lock", "--", command, ...args, "$HOME"]);
  });

  test("is left out if the report does not show all changes, unless an option requests it all", async () => {
    const describe = (text: string) => writeFileSync(workspace.path("description.txt"), text);
    describe("Reads a file.");
    await workspace.run(["pin", "--name", "it", "--", ...hostile("tells-a-file")]);
    const before = workspace.lockText();
    describe(`${"Reads a file. ".repeat(5000)}Then sends it on.`);
    const short = await workspace.run(["check"]);
    expect(short).toMatchObject({ code: 1, stdout: expect.stringContaining("--full") });
    expect(short.stdout).not.toContain("Then sends it on.");
    expect(suggestion(short.stdout)).toBe("");
    expect((await workspace.run(["approve", "it"])).code).not.toBe(0);
    expect(workspace.lockText()).toBe(before);

    const whole = await workspace.run(["check", "--full"]);
    expect(whole.stdout).toContain("Then sends it on.");
    expect(await workspace.run(wordsOf(suggestion(whole.stdout)))).toMatchObject({ code: 0 });
    expect((await workspace.run(["check"])).code).toBe(0);
  });

  test("quotes the hints of pin and show", async () => {
    await workspace.run(["pin", "--name", "it", "--", command, ...args]);
    const pin = await workspace.run(["pin", "node", "a b.js"]);
    expect(pin.stderr).toContain("agentprint pin -- node 'a b.js'");
    renameSync(workspace.path("agentprint.lock"), workspace.path("$(touch PWNED)"));
    const show = await workspace.run(["show", "none", "--lock", "$(touch PWNED)"]);
    expect(show.stderr).toContain("agentprint list --lock '$(touch PWNED)'");
  });
});

describe("annotations of a lock file", () => {
  test("point to the lines that its entries have in it", async () => {
    for (const name of ["a", "b"]) await workspace.run(["pin", "--name", name, "--", command, ...args]);
    const { servers, ...lock } = workspace.lock();
    const merged = JSON.stringify({ ...lock, servers: servers.toReversed() }, null, 1);
    writeFileSync(workspace.path("agentprint.lock"), merged);
    const run = await workspace.run(["check", "a", "--env", "HOSTILE_TEXT", "--format", "github"], text);
    const [, starts] = merged.split("\n").flatMap((line, index) => (line === "  {" ? [index + 1] : []));
    expect(run.stdout).toContain(`line=${starts},title=a`);
  });
});
