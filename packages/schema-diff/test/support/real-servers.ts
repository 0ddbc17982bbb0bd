import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Schema } from "./schemas.ts";

/** A tool as its server describes it. */
export interface Tool {
  readonly name: string;
  readonly inputSchema: Schema;
  readonly outputSchema?: Schema;
}

const asked = new Map<string, Promise<Map<string, Tool>>>();

/**
 * Starts an installed server over stdio, once, and requests its tools without parsing them with the client's schemas.
 */
export function toolsOf(alias: string): Promise<Map<string, Tool>> {
  const tools = asked.get(alias) ?? askFor(alias);
  asked.set(alias, tools);
  return tools;
}

async function askFor(alias: string): Promise<Map<string, Tool>> {
  const root = fileURLToPath(new URL(`../../node_modules/${alias}/`, import.meta.url));
  const { bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { bin: Record<string, string> };
  const home = mkdtempSync(join(tmpdir(), "schema-diff-"));
  const args = [join(root, Object.values(bin)[0] as string), ...(alias.includes("filesystem") ? [home] : [])];
  const transport = new StdioClientTransport({ command: process.execPath, args, cwd: home, stderr: "ignore" });
  const client = new Client({ name: "schema-diff-test", version: "0.0.0" });
  try {
    await client.connect(transport);
    const { tools } = await client.request({ method: "tools/list" }, ResultSchema.loose());
    return new Map((tools as Tool[]).map((tool) => [tool.name, tool]));
  } finally {
    await client.close();
    rmSync(home, { recursive: true, force: true });
  }
}
