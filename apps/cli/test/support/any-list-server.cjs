// node any-list-server.cjs <file>: an MCP server with the tools and results of a file, `{tools, results}`; `results`
// holds them by tool name. Each call is answered with its arguments as text, in addition to its result.
const { readFileSync } = require("node:fs");
const { createInterface } = require("node:readline");
const { tools, results } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "any", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools }),
  "tools/call": ({ name, arguments: given }) => ({
    content: [{ type: "text", text: JSON.stringify(given) }],
    ...results[name],
  }),
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const outcome = answer ? { result: answer(params ?? {}) } : { error: { code: -32601, message: "no" } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...outcome })}\n`);
});
