import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, test } from "vitest";
import { type RunResult, runCli, STATE } from "../support/run-cli.ts";
import { RUNS_IN_TESTS } from "../support/script-server.ts";
import { ONE_ERA, SHORT_VISITS } from "../support/short-visits.ts";
import { AGENTPRINT } from "../support/spawn-cli.ts";
import { runInTerminal } from "../support/terminal.ts";
import { Workspace } from "../support/workspace.ts";

const SECRET = "hunter2hunter2";
const LINE = `agentprint pin --replace --name keyed -- node server.cjs '--api-key=\${env:KEYED_API_KEY}'`;
const PIN = ["pin", "--name", "keyed"];
const LAUNCH = ["node", "server.cjs", `--api-key=${SECRET}`];
const ENV = { KEYED_API_KEY: SECRET };

/** Reports where it got its key, writes its arguments to stderr, and with `--shows` also serves them. */
const SERVER = `${RUNS_IN_TESTS}
const { createInterface } = require("node:readline");
process.stderr.write("started with " + process.argv.slice(2).join(" ") + "\\n");
const description = process.argv.includes("--shows") ? process.argv.join(" ") : "Echoes";
const answers = {
  "initialize": ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } }),
  "tools/list": () => ({ tools: [{ name: "echo", description, inputSchema: { type: "object" } }] }),
  "tools/call": () => ({ content: [{ type: "text", text: String(process.argv.includes("--api-key=${SECRET}")) }] }),
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const error = { code: -32601, message: "unknown" };
  const answer = answers[method] ? { result: answers[method](params) } : { error };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
});
`;

class Keyed extends Workspace {
  readonly #processes: boolean;

  /** @param processes Whether the server is a process, which writes the secret to stderr */
  constructor({ processes = false } = {}) {
    super();
    this.#processes = processes;
    writeFileSync(this.path("server.cjs"), SERVER);
  }

  override run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<RunResult> {
    const visits = { ...SHORT_VISITS, ...ONE_ERA };
    return runCli(args, { cwd: this.folder, env, visits, processes: this.#processes });
  }

  /** Runs agentprint here; fails if the secret is in its output, or in a file that did not contain it before. */
  async quiet(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const result = await this.run(args, env);
    expect(result.stdout + result.stderr).not.toContain(SECRET);
    for (const name of readdirSync(this.folder)) {
      if (name !== "server.cjs" && !name.endsWith("mcp.json"))
        expect(readFileSync(this.path(name), "utf8")).not.toContain(SECRET);
    }
    return result;
  }
}

/** Returns the words of a line that `commandLine` wrote for a POSIX shell. */
const wordsOf = (line: string): string[] =>
  (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'|'$/g, "")).slice(1);

describe("a secret in an argument of a launch", () => {
  test("pin reports that it is left out, and all commands work after the line that it prints", async () => {
    using space = new Keyed({ processes: true });
    const pinned = await space.quiet([...PIN, "--", ...LAUNCH]);
    expect(pinned.code).toBe(0);
    expect(pinned.stderr).toContain("warning  the lock leaves out a secret in this word of the launch at /args/1");
    expect(pinned.stderr).toContain(`set KEYED_API_KEY to the omitted value, and run: ${LINE}\n`);
    for (const command of [["check"], ["approve", "keyed"], ["guard", "keyed"]]) {
      const refused = await space.quiet(command);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain(`set KEYED_API_KEY to the omitted value, and run: ${LINE}`);
    }

    const again = await space.quiet(wordsOf(LINE), ENV);
    expect(again).toMatchObject({ code: 0, stderr: expect.not.stringContaining("leaves out") });
    for (const command of [["check"], ["check"], ["approve", "keyed"]]) {
      expect(await space.quiet(command, ENV)).toMatchObject({ code: 0 });
    }
    const [command, ...args] = AGENTPRINT;
    const env = { ...(process.env as Record<string, string>), ...STATE, ...ENV };
    const client = new Client({ name: "claude-code", version: "1.0.0" });
    const guard = { command, args: [...args, "guard", "keyed"], cwd: space.folder, env, stderr: "pipe" as const };
    const transport = new StdioClientTransport(guard);
    let said = "";
    transport.stderr?.on("data", (chunk) => {
      said += chunk;
    });
    await client.connect(transport);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["echo"]);
    expect(await client.callTool({ name: "echo" })).toMatchObject({ content: [{ text: "true" }] });
    await client.close();
    expect(said).not.toContain(SECRET);
  });

  test("a JSON report states it, too", async () => {
    using space = new Keyed();
    const { stdout } = await space.quiet([...PIN, "--format", "json", "--", ...LAUNCH]);
    expect(JSON.parse(stdout).findings).toContainEqual(
      expect.objectContaining({
        rule: "lock/secret-left-out",
        level: "warning",
        isRemark: true,
        note: expect.stringContaining(LINE),
        place: { subject: "keyed", server: "keyed", pointer: "/args/1" },
      }),
    );
  });

  test("on a terminal pin writes the reference after a yes, and after a no explains how", async () => {
    using space = new Keyed();
    const question = "Replace it with references to KEYED_API_KEY?";
    const answered = (answer: string) =>
      runInTerminal([...PIN, "--replace", "--", ...LAUNCH], [[question, answer]], { cwd: space.folder });
    const declined = await answered("n");
    expect(declined).toMatchObject({ code: 0, unasked: [] });
    expect(declined.stderr).toContain(LINE);
    expect(space.lock().servers[0]?.launch).toMatchObject({ args: ["server.cjs", "--api-key=<redacted>"] });
    const agreed = await answered("y");
    expect(agreed).toMatchObject({ code: 0, unasked: [] });
    expect(agreed.stderr).toContain("set KEYED_API_KEY to the omitted values before agentprint check");
    expect(agreed.stderr).not.toContain("leaves out a secret in this word");
    expect(declined.stderr + agreed.stderr + space.lockText()).not.toContain(SECRET);
    expect(space.lock().servers[0]?.launch).toMatchObject({ args: ["server.cjs", `--api-key=\${env:KEYED_API_KEY}`] });
    expect(await space.quiet(["check"], ENV)).toMatchObject({ code: 0 });
  });

  test("a configuration that has it is named, and check reads it from there", async () => {
    using space = new Keyed();
    const [command, ...args] = LAUNCH;
    writeFileSync(space.path("mcp.json"), JSON.stringify({ mcpServers: { keyed: { command, args } } }));
    const config = ["--mcp-config", "mcp.json"];
    const reference = `write \${env:KEYED_API_KEY} at /args/1 there`;
    for (const pin of [["pin"], ["init", "--yes", "--ci", "none", "--lock", "other.lock"]]) {
      const pinned = await space.quiet([...pin, ...config]);
      expect(pinned.code).toBe(0);
      expect(pinned.stderr).toContain("note  the lock leaves out a secret in this word of the launch at /args/1");
      expect(pinned.stderr).toContain("get it from mcp.json");
      expect(pinned.stderr).toContain(reference);
    }
    expect(await space.quiet(["check", ...config])).toMatchObject({ code: 0 });
    expect(await space.quiet(["approve", "keyed", ...config])).toMatchObject({ code: 0 });
    const written = { command, args: ["server.cjs", `--api-key=\${env:KEYED_API_KEY}`] };
    writeFileSync(space.path("mcp.json"), JSON.stringify({ mcpServers: { keyed: written } }));
    expect(await space.quiet(["pin", "--replace", "--name", "keyed", ...config], ENV)).toMatchObject({ code: 0 });
    expect(await space.quiet(["check"], ENV)).toMatchObject({ code: 0 });
  });

  test.each([
    [".mcp.json", "Claude Code", `\${KEYED_API_KEY}`],
    ["mcp_config.json", undefined, ""],
    ["opencode.json", "opencode", "{env:KEYED_API_KEY}"],
  ])(
    "on a terminal pin writes the reference into %s after a yes, as its client spells it",
    async (file, client, form) => {
      using space = new Keyed();
      const [command, ...args] = LAUNCH;
      const member = client === "opencode" ? "mcp" : "mcpServers";
      const entry = client === "opencode" ? { type: "local", command: [command, ...args] } : { command, args };
      const text = `// ours\n${JSON.stringify({ [member]: { keyed: entry } }, null, 4)}\n`;
      writeFileSync(space.path(file), text);
      const question = `, in the lock and in ${file}, where ${client} fills them in?`;
      const answered = (answer: string) =>
        runInTerminal(["pin", "--replace", "--mcp-config", file], [[question, answer]], { cwd: space.folder });
      const declined = await answered("n");
      expect(declined).toMatchObject({ code: 0, unasked: client === undefined ? [question] : [] });
      expect(readFileSync(space.path(file), "utf8")).toBe(text);
      expect(space.lockText()).toContain("--api-key=<redacted>");
      if (client === undefined) return;

      const agreed = await answered("y");
      expect(agreed).toMatchObject({ code: 0, unasked: [] });
      expect(agreed.stderr).toContain("set KEYED_API_KEY to the omitted values before agentprint check");
      expect(declined.stderr + agreed.stderr + agreed.stdout + space.lockText()).not.toContain(SECRET);
      expect(readFileSync(space.path(file), "utf8")).toBe(text.replace(SECRET, () => form));
      expect(space.lock().servers[0]?.launch).toMatchObject({
        args: ["server.cjs", `--api-key=\${env:KEYED_API_KEY}`],
      });
      expect(await space.quiet(["check"], ENV)).toMatchObject({ code: 0 });
      expect(await space.quiet(["check", "--mcp-config", file], ENV)).toMatchObject({ code: 0 });
    },
  );

  test("a server that serves it is not pinned, and no error shows it", async () => {
    using space = new Keyed({ processes: true });
    const served = await space.quiet([...PIN, "--", ...LAUNCH, "--shows"]);
    expect(served).toMatchObject({ code: 2, stderr: expect.stringContaining("server-secrets") });
    for (const wrong of [
      ["pin", ...LAUNCH],
      ["pin", "--name", "keyed", "node", "server.cjs", "--api-key", SECRET],
      ["pin", "--url", `ftp://a.example/?token=${SECRET}`],
      [...PIN, "--", "no-such-program", `--api-key=${SECRET}`],
      ["check", "keyed", "--", ...LAUNCH],
      ["guard", "keyed", "--", ...LAUNCH],
    ]) {
      expect((await space.quiet(wrong)).code).toBe(2);
    }
  });
});
