import { once } from "node:events";
import { type ClientRequest, createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { serverAt } from "../../src/guard/http/ask-server.ts";
import { readBytes } from "../../src/guard/http/read-bytes.ts";

const TEXT = "hello ".repeat(1000);

/** Asks a server that answers so, and reads what it says. */
async function answered(answer: RequestListener, maxBytes = 10_000): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const open = new Set<ClientRequest>();
  try {
    const ask = serverAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
    const { status, body } = await ask({ method: "POST", headers: {}, body: Buffer.from("{}") }, open);
    return `${status} ${Buffer.from(await readBytes(body, maxBytes))}`;
  } finally {
    for (const asked of open) asked.destroy();
    server.closeAllConnections();
    server.close();
  }
}

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
  ["identity", Buffer.from],
] as const)("an answer that is encoded with %s is read", async (encoding, encode) => {
  const answer: RequestListener = (_request, response) => {
    response.writeHead(200, { "content-encoding": encoding }).end(encode(Buffer.from(TEXT)));
  };
  expect(await answered(answer)).toBe(`200 ${TEXT}`);
  await expect(answered(answer, 100)).rejects.toThrow(RangeError);
});

test.each<readonly [string, RequestListener, string]>([
  ["a redirect", (_, response) => response.writeHead(307, { location: "/other" }).end(), "redirects"],
  ["another encoding", (_, response) => response.writeHead(200, { "content-encoding": "zip" }).end(), "encoding"],
  [
    "an encoding that is not kept",
    (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(TEXT),
    "header",
  ],
  ["half an answer", (_, response) => response.writeHead(200).write(TEXT, () => response.destroy()), "aborted"],
  ["nothing", (request) => request.destroy(), "hang up"],
])("%s is an error", async (_, answer, message) => {
  await expect(answered(answer)).rejects.toThrow(message);
});
