import { readFileSync, writeFileSync } from "node:fs";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as TransportV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, test } from "vitest";
import { driftedFiles, expectGuarded } from "../guard/support.ts";
import { STATE } from "../support/run-cli.ts";
import { AGENTPRINT } from "../support/spawn-cli.ts";

const [command, ...args] = AGENTPRINT;
const info = { name: "test", version: "1.0.0" };

function launch(cwd: string, ...more: string[]) {
  const env = { ...(process.env as Record<string, string>), ...STATE };
  return { command, args: [...args, "guard", "files", ...more], cwd, env, stderr: "pipe" as const };
}

describe("official clients behind the guard", () => {
  test.each(["1.x", "2.x"] as const)("%s: a tool that drifted is not called, the others work", async (version) => {
    using space = await driftedFiles();
    const [client, transport] =
      version === "1.x"
        ? [new ClientV1(info), new TransportV1(launch(space.folder))]
        : [new ClientV2(info), new TransportV2(launch(space.folder))];
    await client.connect(transport as never);
    try {
      await expectGuarded(client as never, space);
    } finally {
      await client.close();
    }
  });

  test("a configuration with the guard in it starts the guarded server", async () => {
    using space = await driftedFiles();
    const files = { command: process.execPath, args: ["start.mjs"] };
    writeFileSync(space.path("mcp.json"), JSON.stringify({ mcpServers: { files } }));
    expect((await space.run(["wrap", "--config", "mcp.json"], { XDG_STATE_HOME: space.path("state") })).code).toBe(0);
    const { mcpServers } = JSON.parse(readFileSync(space.path("mcp.json"), "utf8"));
    const client = new ClientV1(info);
    await client.connect(new TransportV1({ ...launch(space.folder), ...mcpServers.files }));
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).not.toContain("move_file");
    await client.close();
  });

  test("a dry run changes nothing", async () => {
    using space = await driftedFiles();
    const client = new ClientV1(info);
    await client.connect(new TransportV1(launch(space.folder, "--dry-run")));
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain("move_file");
    await client.close();
  });
});
