import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hostile } from "../support/hostile.ts";
import { httpServer, sendJson } from "../support/http-server.ts";
import { ONE_ERA } from "../support/short-visits.ts";
import { Workspace } from "../support/workspace.ts";

let workspace: Workspace;
let server: Awaited<ReturnType<typeof httpServer>>;
beforeEach(async () => {
  workspace = new Workspace(ONE_ERA);
  // The tool's description contains the key in the request.
  server = await httpServer(({ id }, response, { headers }) => {
    const tool = {
      name: "read",
      description: `key ${headers["x-tenant"]}`,
      inputSchema: { type: "object" },
      annotations: { readOnlyHint: true },
    };
    sendJson(response, JSON.stringify({ jsonrpc: "2.0", id, result: { tools: [tool] } }));
  });
});
afterEach(() => {
  server.close();
  workspace[Symbol.dispose]();
});

// The server's texts contain the value of HOSTILE_TEXT.
const [command = "", ...args] = hostile("terminal-escapes");
const text = { HOSTILE_TEXT: "from the variable" };
const key = { AGENTPRINT_HEADER_X_TENANT: "blue" };
const pinLocal = ["pin", "--name", "local", "--", command, ...args];
const pinRemote = (): string[] => ["pin", "--name", "remote", "--url", server.url];

function said(name: string): unknown {
  const entry = workspace.lock().servers.find((locked) => locked.name === name);
  return entry?.tools.find(({ definition }) => definition["name"] === "read")?.definition["description"];
}

describe("--env and --header without a launch", () => {
  test("add a variable to the launch of a server of the lock, which is drift", async () => {
    await workspace.run(pinLocal);
    const run = await workspace.run(["check", "--env", "HOSTILE_TEXT"], text);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('launch changed at /env/0: + "HOSTILE_TEXT"');
    expect(run.stdout).toContain("‹value of HOSTILE_TEXT›");
    expect((await workspace.run(["approve", "local", "--yes", "--env", "HOSTILE_TEXT"], text)).code).toBe(0);
    expect(said("local")).toBe("from the variable");
    expect(workspace.lock().servers[0]?.launch).toMatchObject({ env: ["HOSTILE_TEXT"] });
    // A variable that the launch already names makes no difference.
    expect(await workspace.run(["check", "--env", "HOSTILE_TEXT"], text)).toMatchObject({ code: 0, stderr: "" });
  });

  test("add a header to the launch of a server of the lock, which is drift", async () => {
    await workspace.run(pinRemote());
    const run = await workspace.run(["check", "--header", "X-Tenant"], key);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('launch changed at /headers/0: + "X-Tenant"');
    expect((await workspace.run(["approve", "remote", "--yes", "--header", "X-Tenant"], key)).code).toBe(0);
    expect(said("remote")).toBe("key blue");
    // The case of a header name makes no difference.
    expect(await workspace.run(["check", "--header", "x-tenant"], key)).toMatchObject({ code: 0, stderr: "" });
  });

  test("are added to each server of a configuration that takes them", async () => {
    const mcpServers = { local: { command, args }, remote: { url: server.url } };
    writeFileSync(workspace.path("mcp.json"), JSON.stringify({ mcpServers }));
    const passed = ["--mcp-config", "mcp.json", "--env", "HOSTILE_TEXT", "--header", "X-Tenant"];
    expect(await workspace.run(["pin", ...passed], { ...text, ...key })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("2 servers offer a tool of this name"),
    });
    expect([said("local"), said("remote")]).toEqual(["from the variable", "key blue"]);
    expect((await workspace.run(["check", ...passed], { ...text, ...key })).code).toBe(0);
    expect((await workspace.run(["check", "--mcp-config", "mcp.json"])).code).toBe(2);
  });

  test("are an error where the variable is not set", async () => {
    await workspace.run(pinLocal);
    const run = await workspace.run(["check", "--env", "NO_SUCH_VARIABLE"]);
    expect(run.code).toBe(2);
    expect(run.stdout).toContain("the environment variable NO_SUCH_VARIABLE is not set");
  });

  test("are an error where no server takes them", async () => {
    await workspace.run(pinLocal);
    for (const name of ["check", "approve"]) {
      const run = await workspace.run([name, "local", "--header", "X-Tenant"], key);
      expect(run).toMatchObject({ code: 2, stdout: "" });
      expect(run.stderr).toContain("--header applies to none of these servers");
    }
    for (const given of [
      [...pinRemote(), "--env", "HOSTILE_TEXT"],
      ["pin", "--header", "X", ...pinLocal.slice(1)],
    ]) {
      const run = await workspace.run(given, { ...text, AGENTPRINT_HEADER_X: "x" });
      expect(run).toMatchObject({ code: 2, stdout: "" });
      expect(run.stderr).toMatch(/--(env|header) applies to none of these servers/);
    }
  });
});
