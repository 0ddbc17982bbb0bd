import { toolsServer } from "./tools-server.ts";

/** The code of an MCP server that first appends a line to the file `started` of its folder. */
export function notingServer(note: string, more = ""): string {
  const begin = `require("node:fs").appendFileSync("started", ${JSON.stringify(`${note}\n`)});\n${more}`;
  return toolsServer([{ name: "greet", inputSchema: { type: "object" } }], { name: "files", begin });
}
