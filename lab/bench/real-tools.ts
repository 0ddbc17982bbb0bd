import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ResultSchema } from "@modelcontextprotocol/sdk/types.js";

/** Adjacent versions of the installed servers, the older one first. */
export const UPGRADES = [
  ["server-everything-2026-1-26", "server-everything-2026-8-31"],
  ["server-filesystem-2026-1-14", "server-filesystem-2026-7-4"],
  ["server-filesystem-2026-7-4", "server-filesystem-2026-8-31"],
  ["server-memory-2026-1-26", "server-memory-2026-7-4"],
  ["server-playwright-0-0-45", "server-playwright-0-0-60"],
] as const;

/** The environment variable that names a folder shared by the processes of one run. */
export const SCRATCH = "AGENTPRINT_BENCH_SCRATCH";

/** A tool's schema in two versions of a real server. */
export interface SchemaPair {
  readonly before: object;
  readonly after: object;
  readonly direction: "input" | "output";
}

/**
 * Returns the pairs of schemas of tools that adjacent versions of the installed servers share, largest first; visits
 * the servers once per run.
 */
export async function realSchemaPairs(): Promise<SchemaPair[]> {
  const file = process.env[SCRATCH] && join(process.env[SCRATCH], "schema-pairs.json");
  if (file && existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  const pairs = await askServers();
  if (file) writeFileSync(file, JSON.stringify(pairs));
  return pairs;
}

async function askServers(): Promise<SchemaPair[]> {
  const pairs: SchemaPair[] = [];
  for (const [from, to] of UPGRADES) {
    const [old, young] = [await toolsOf(from), await toolsOf(to)];
    for (const [name, tool] of young) {
      for (const [key, direction] of [
        ["inputSchema", "input"],
        ["outputSchema", "output"],
      ] as const) {
        const [before, after] = [old.get(name)?.[key], tool[key]];
        if (before && after) pairs.push({ before, after, direction });
      }
    }
  }
  const size = ({ before, after }: SchemaPair): number => JSON.stringify([before, after]).length;
  return pairs.sort((a, b) => size(b) - size(a));
}

type Tool = { readonly name: string; readonly inputSchema?: object; readonly outputSchema?: object };

/** Returns the tools that an installed server lists, unchanged, by name. */
export async function toolsOf(alias: string): Promise<Map<string, Tool>> {
  const root = join(import.meta.dirname, "..", "node_modules", alias);
  const { bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { bin: Record<string, string> };
  const args = [join(root, Object.values(bin)[0] as string), ...(alias.includes("filesystem") ? [tmpdir()] : [])];
  const client = new Client({ name: "agentprint-bench", version: "0.0.0" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: tmpdir(), stderr: "ignore" }));
  try {
    const { tools } = await client.request({ method: "tools/list" }, ResultSchema.loose());
    return new Map((tools as Tool[]).map((tool) => [tool.name, tool]));
  } finally {
    await client.close();
  }
}
