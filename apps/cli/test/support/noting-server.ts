import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toolsServer } from "./tools-server.ts";

/** Returns the code of an MCP server that first appends a line to the file `started` in its folder. */
export function notingServer(note: string, more = ""): string {
  const begin = `require("node:fs").appendFileSync("started", ${JSON.stringify(`${note}\n`)});\n${more}`;
  return toolsServer([{ name: "greet", inputSchema: { type: "object" } }], { name: "files", begin });
}

/** Returns the lines that servers have appended to `started` in this folder. */
export function startsIn(folder: string): string[] {
  const file = join(folder, "started");
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
}

/** A client's first message, as a line. */
export const INITIALIZE: string = `${JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } },
})}\n`;
