import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { boundConnections } from "../src/index.ts";

const LONG = Buffer.alloc(16 * 1024 * 1024, "a");
const ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function listen(handle: RequestListener, silentMs?: number, change?: (server: Server) => void): Promise<number> {
  const server = createServer(handle);
  boundConnections(server, silentMs === undefined ? {} : { silentMs });
  change?.(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function client(port: number, sent: string | Buffer): Socket {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  socket.pause();
  socket.write(sent);
  ends.push(() => socket.destroy());
  return socket;
}

const get = (path: string, headers = ""): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
const LAST = "Connection: close\r\n";

/** Returns a handler that records the paths that it was called with. */
function noting(answer: (path: string) => string | Buffer): { handle: RequestListener; paths: string[] } {
  const paths: string[] = [];
  const handle: RequestListener = ({ url = "" }, response) => {
    paths.push(url);
    response.end(answer(url));
  };
  return { handle, paths };
}

test("handles no further request of a connection whose client does not read the answer, and others at once", async () => {
  const { handle, paths } = noting((path) => (path.startsWith("/long") ? LONG : "ok"));
  const port = await listen(handle);
  const unread = client(port, Array.from({ length: 1000 }, (_, nth) => get(`/long${nth}`)).join(""));
  await expect.poll(() => paths).toEqual(["/long0"]);
  const other = client(port, get("/other", LAST));
  expect(await text(other)).toMatch(/^HTTP\/1\.1 200 /);
  expect(paths).toEqual(["/long0", "/other"]);
  // Once the client reads, it gets the next answers.
  unread.resume();
  await expect.poll(() => paths.length).toBeGreaterThan(4);
});

test("handles a request for the urgent path behind one of others at most", async () => {
  const { handle, paths } = noting(() => "ok");
  let accepted = 0;
  const server = createServer(handle).on("connection", () => accepted++);
  boundConnections(server, { urgentPath: "/alive" });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: 21 }, () => client(port, ""));
  await expect.poll(() => accepted).toBe(21);
  for (const [nth, socket] of sockets.entries()) socket.write(get(nth === 20 ? "/alive" : `/${nth}`, LAST));
  await expect.poll(() => paths.length).toBe(21);
  expect(paths.indexOf("/alive")).toBeLessThanOrEqual(1);
});

test("answers pipelined requests in their order, whatever their bodies and however they are cut", async () => {
  const bodies: string[] = [];
  const port = await listen(async (request, response) => {
    const body = await text(request);
    bodies.push(`${request.url} ${body.length}`);
    await setTimeout(1);
    response.end(`${request.url};`);
  });
  const hidden = `\r\n\r\n${get("/hidden")}`;
  const declared = (path: string, body: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const chunked = (path: string, body: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const all = [
    get("/0"),
    declared("/1", hidden),
    chunked("/2", hidden),
    declared("/3", "a".repeat(200_000)),
    chunked("/4", "b".repeat(100_000)),
    declared("/5", ""),
    get("/6", LAST),
  ].join("");
  const expected = [`/0 0`, `/1 ${hidden.length}`, `/2 ${hidden.length}`, "/3 200000", "/4 100000", "/5 0", "/6 0"];
  for (const size of [all.length, 1, 7, 4096]) {
    bodies.length = 0;
    const pieces =
      size === 1 ? [...all.slice(0, 300), all.slice(300)] : (all.match(new RegExp(`[^]{1,${size}}`, "g")) ?? []);
    const socket = client(port, "");
    const answers = text(socket);
    for (const piece of pieces) socket.write(piece);
    expect((await answers).match(/\/\d;/g)).toEqual(["/0;", "/1;", "/2;", "/3;", "/4;", "/5;", "/6;"]);
    expect(bodies).toEqual(expected);
  }
});

test("a request that waits behind a slow answer does not run into its time limits", async () => {
  const limits = { requestTimeout: 1000, headersTimeout: 500, connectionsCheckingInterval: 50 };
  const server = createServer(limits, async (request, response) => {
    const body = await text(request);
    if (request.url === "/slow") await setTimeout(2000);
    response.end(`${request.url}${body};`);
  });
  boundConnections(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => server.close());
  const post = "POST /next HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody";
  const all = get("/slow") + post + get("/last", LAST);
  const socket = client((server.address() as AddressInfo).port, all);
  expect((await text(socket)).match(/\/\w+;/g)).toEqual(["/slow;", "/nextbody;", "/last;"]);
});

test("ends a client that takes no byte, and not one that is slow or waits for its answer", async () => {
  const silentMs = 2000;
  const paths: string[] = [];
  const port = await listen(({ url = "" }, response) => {
    paths.push(url);
    if (url === "/late") void setTimeout(3 * silentMs).then(() => response.end("late"));
    else response.end(LONG);
  }, silentMs);
  const [silent, slow] = [client(port, get("/silent")), client(port, get("/slow", LAST))];
  const late = text(client(port, get("/late", LAST)));
  await expect.poll(() => paths.length).toBe(3);
  // The client reads about as much at a time as the receiving kernel announces as free, far less than the sending
  // kernel waits for.
  for (let turn = 0; turn < 60; turn++) {
    await setTimeout(silentMs / 20);
    slow.read(64 * 1024);
  }
  silent.resume();
  slow.resume();
  await Promise.all([once(silent, "close"), once(slow, "close")]);
  expect(silent.bytesRead).toBeLessThan(LONG.length);
  expect(slow.bytesRead).toBeGreaterThan(LONG.length);
  expect(await late).toContain("late");
});
