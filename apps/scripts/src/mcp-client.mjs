// An MCP client based on the official library: `mcp-client.mjs '{ "url" or "launch": …, "headers": …, "call": … }'`
// prints how many tools a server lists, and its answer to a call.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const { url, headers, launch, call } = JSON.parse(process.argv[2]);
const client = new Client({ name: "stranger", version: "1.0.0" });
await client.connect(
  url
    ? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
    : new StdioClientTransport(launch),
);
const { tools } = await client.listTools();
const result = call && (await client.callTool(call));
console.log(JSON.stringify({ tools: tools.length, text: result?.content[0]?.text }));
await client.close();
