import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { compareTools, type ToolPins } from "@agentprint/tool-pins";

const MAX_PAGES = 1000;

/**
 * Forwards each message to an MCP server over HTTP. It answers `tools/list` itself, with all tools or, if they are not
 * the pinned ones, with an error.
 */
export function createGateway(upstream: string, pins: ToolPins): Server {
  return createServer(async (request, response) => {
    try {
      const body = await text(request);
      const headers = Object.entries(request.headers).filter(([name]) =>
        /^(accept|authorization|content-type|mcp-.*)$/.test(name),
      );
      const send = (message: string) =>
        fetch(upstream, {
          method: request.method ?? "GET",
          headers: headers as [string, string][],
          ...(message !== "" && { body: message }),
        });
      const message = body === "" ? {} : JSON.parse(body);
      if (message.method !== "tools/list") {
        const answer = await send(body);
        response.writeHead(
          answer.status,
          [...answer.headers].filter(([name]) => /^(content-type|mcp-.*)$/.test(name)).flat(),
        );
        for await (const chunk of answer.body ?? []) response.write(chunk);
        response.end();
        return;
      }
      const tools: unknown[] = [];
      let cursor: unknown;
      for (let pages = 0; cursor !== null && pages < MAX_PAGES; pages++) {
        const params = cursor === undefined ? {} : { cursor };
        const page = await (await send(JSON.stringify({ ...message, params }))).text();
        const { result } = JSON.parse(/^data: ?(.*)$/m.exec(page)?.[1] ?? page);
        tools.push(...result.tools);
        cursor = result.nextCursor ?? null;
      }
      const [worst] = compareTools(pins, tools).findings.filter(({ level }) => level === "error");
      const refusal = { code: -32000, message: `The tools are not the pinned ones: ${worst?.rule}` };
      const answer = worst === undefined ? { result: { tools } } : { error: refusal };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...answer }));
    } catch {
      response.writeHead(502).end();
    }
  });
}
