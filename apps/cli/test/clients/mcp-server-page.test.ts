import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { entriesAt, membersWithServers, parseConfig, readEntry } from "@agentprint/client-configs";
import { CLIENTS } from "@agentprint/client-configs/client-table";
import { startProgram } from "@agentprint/testing/programs";
import { describe, expect, test } from "vitest";
import { recognizeAnyGuard } from "../../src/clients/recognize-guard.ts";
import { configurations, mcpServerPage } from "../support/mcp-server-page.ts";

const APP = fileURLToPath(new URL("../../../mcp-server/", import.meta.url));
const LAUNCH = { command: "npx", args: ["-y", "@agentprint/mcp-server"] };

describe("the configurations of the MCP server", () => {
  test("are in a page of its package", async () => {
    await expect(mcpServerPage(CLIENTS)).toMatchFileSnapshot(join(APP, "clients.md"));
  });

  test.each(configurations(CLIENTS).map((each) => ({ ...each, name: each.client.name })))(
    "start it in $name",
    async ({ text: written, file }) => {
      const config = await parseConfig(written, file);
      const entries = membersWithServers(config).flatMap((member) => entriesAt(config, [member]));
      expect(entries).toMatchObject([{ name: "agentprint", state: "on" }]);
      expect(readEntry(entries[0]?.value, recognizeAnyGuard)).toMatchObject(LAUNCH);
    },
  );

  test("are the launch of a server that answers; here from its sources, in place of the published package", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mcp-server-launch-"));
    const child = await startProgram(process.execPath, ["--conditions=@agentprint/source", join(APP, "src/main.ts")], {
      env: { ...process.env, AGENTPRINT_TRAIL_URL: `file:${join(folder, "trail.db")}` },
    });
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
    child.stdout.once("readable", () => child.stdin.end());
    expect(JSON.parse(await text(child.stdout)).result.serverInfo.name).toBe("agentprint");
    rmSync(folder, { recursive: true });
  });
});
