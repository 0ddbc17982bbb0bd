// Tests may run this in their own process.
// node numbers-server.cjs <file>: an MCP server whose answers to tools/list are the lines of a file, one after another.
const fs = require("node:fs");
const [, , file] = process.argv;
const write = (id, result) => process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}\n`);
const answer = ({ id, method, params }) => {
  const info = {
    protocolVersion: params?.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "n", version: "1" },
  };
  if (id === undefined) return;
  if (method === "initialize") write(id, JSON.stringify(info));
  else if (method === "tools/list") write(id, fs.readFileSync(file, "utf8").trim());
  else if (method === "tools/call") write(id, '{"content":[{"type":"text","text":"ok"}]}');
  else process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":-32601,"message":"no"}}\n`);
};
let rest = "";
process.stdin.on("data", (data) => {
  const lines = (rest + data).split("\n");
  rest = lines.pop();
  for (const line of lines) if (line !== "") answer(JSON.parse(line));
});
process.stdin.on("end", () => process.exit(0));
