/**
 * Returns the script of an MCP server over stdio that offers some tools.
 *
 * @param begin Code that runs when the server starts
 */
export function toolsServer(
  tools: readonly object[],
  {
    name = "tools",
    version = "1.0.0",
    begin = "",
  }: { readonly name?: string; readonly version?: string; readonly begin?: string } = {},
): string {
  return `#!/usr/bin/env node
${begin}
const serverInfo = ${JSON.stringify({ name, version })};
const results = {
  initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo },
  "tools/list": { tools: ${JSON.stringify(tools)} },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const error = { code: -32601, message: "Method not found" };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(results[method] ? { result: results[method] } : { error }) }));
});
`;
}

/**
 * Reads the options of {@link toolsServer} back from its script; returns `undefined` if another function wrote the
 * script, or if it contains more code.
 */
export function readToolsServer(script: string): { tools: object[]; name: string; version: string } | undefined {
  const [, info = "null"] = /^const serverInfo = (.+);$/m.exec(script) ?? [];
  const [, list = "null"] = /^ {2}"tools\/list": \{ tools: (.+) \},$/m.exec(script) ?? [];
  try {
    const given = { ...JSON.parse(info), tools: JSON.parse(list) };
    return toolsServer(given.tools, given) === script ? given : undefined;
  } catch {
    return undefined;
  }
}
