import { once } from "node:events";
import { type ClientRequest, createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { serverAt } from "../../src/guard/http/ask-server.ts";
import { endWith } from "../../src/guard/http/end-with.ts";
import { readBytes } from "../../src/guard/http/read-bytes.ts";

const TEXT = "hello ".repeat(1000);

/** Asks a server that answers so, and reads what it says. */
async function answered(answer: RequestListener, maxBytes = 10_000, asked = "{}"): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const open = new Set<ClientRequest>();
  try {
    const ask = serverAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
    const { status, body } = await ask({ method: "POST", headers: {}, body: Buffer.from(asked) }, open);
    return `${status} ${Buffer.from(await readBytes(body, maxBytes))}`;
  } finally {
    for (const request of open) request.destroy();
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

test.each([1, 100_000])("a body goes to the server and back byte for byte, with %i characters", async (length) => {
  const text = "\u{1F4C4}\u00e9".repeat(length);
  const echo: RequestListener = async (request, response) => {
    const body = await readBytes(request, 1e6);
    expect(request.headers["content-length"]).toBe(String(body.length));
    endWith(response.writeHead(200, { "content-length": body.length }), body);
  };
  expect(await answered(echo, 1e6, text)).toBe(`200 ${text}`);
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
