import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** Serves `/mcp` on a free port of this machine, passes each parsed body to `handle`, and prints the address. */
export function listen(
  handle: (request: IncomingMessage, response: ServerResponse, body: unknown, host: string) => Promise<unknown>,
): void {
  const server = createServer(async (request, response) => {
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
    await handle(request, response, body, `127.0.0.1:${port}`);
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (typeof address === "object" && address) console.log(`http://127.0.0.1:${address.port}/mcp`);
  });
}
