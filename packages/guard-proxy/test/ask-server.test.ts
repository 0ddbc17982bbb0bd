import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, expect, test, vi } from "vitest";
import { serverAt } from "../src/http/ask-server.ts";
import { endWith } from "../src/http/client-response.ts";
import { readBytes } from "../src/http/read-bytes.ts";

const TEXT = "hello ".repeat(1000);

afterEach(() => vi.unstubAllEnvs());

async function listening(server: Server): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends a request to a server with this answer, and reads the response. */
async function answered(answer: RequestListener, maxBytes = 10_000, asked = "{}", user = ""): Promise<string> {
  const server = createServer(answer);
  const place = await listening(server);
  const open = new Set<AbortController>();
  try {
    const ask = serverAt(`http://${user}${place}/mcp?a=b`);
    const { status, body } = await ask({ method: "POST", headers: {}, body: Buffer.from(asked) }, open);
    return `${status} ${Buffer.from(await readBytes(body, maxBytes))}`;
  } finally {
    for (const request of open) request.abort();
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
  ["half an answer", (_, response) => response.writeHead(200).write(TEXT, () => response.destroy()), "closed"],
  ["nothing", (request) => request.destroy(), "closed"],
])("%s is an error", async (_, answer, message) => {
  await expect(answered(answer)).rejects.toThrow(message);
});

test("the user information of an address is sent as Basic credentials", async () => {
  const echo: RequestListener = ({ url, headers }, response) => response.end(`${url} ${headers.authorization}`);
  expect(await answered(echo, 1000, "", "ann:s%40fe@")).toBe(`200 /mcp?a=b Basic ${btoa("ann:s@fe")}`);
  expect(await answered(echo)).toBe("200 /mcp?a=b undefined");
});

test("a repeated header is joined to one text", async () => {
  const server = createServer((_, response) => response.setHeader("www-authenticate", ["Bearer", "Basic"]).end());
  const ask = serverAt(`http://${await listening(server)}`);
  const { headers, body } = await ask({ method: "GET", headers: {} }, new Set());
  body.destroy();
  server.close();
  expect(headers["www-authenticate"]).toBe("Bearer,Basic");
});

test("the server is reached through the proxy of the environment where Node is configured to use it", async () => {
  const asked: string[] = [];
  const proxy = createServer().on("connect", ({ url = "" }, client: Socket) => {
    asked.push(url);
    const [host, port] = url.split(":");
    const server = connect(Number(port), host, () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
    client.pipe(server).pipe(client);
  });
  vi.stubEnv("http_proxy", `http://${await listening(proxy)}`);
  vi.stubEnv("no_proxy", "");
  const hello: RequestListener = (_, response) => response.end("hello");
  expect(await answered(hello)).toBe("200 hello");
  expect(asked).toEqual([]);
  vi.stubEnv("NODE_USE_ENV_PROXY", "1");
  expect(await answered(hello)).toBe("200 hello");
  expect(asked).toEqual([expect.stringMatching(/^127\.0\.0\.1:\d+$/)]);
  proxy.closeAllConnections();
  proxy.close();
});
