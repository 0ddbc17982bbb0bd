import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { pinned, seen, until } from "../guard/fault-world.ts";
import { listening, postCall } from "../guard/support.ts";
import { Workspace } from "../support/workspace.ts";

const post = (url: URL, name: string, text: string, more?: Parameters<typeof postCall>[3]): Promise<Response> =>
  postCall(url, name, { text }, more);

const textOf = async (answer: Response): Promise<string> => JSON.parse(await answer.text()).result.content[0].text;

describe("a server that is started", () => {
  test("over HTTP, a pending request gets an error when the server dies, and the next one restarts it", async () => {
    const space = await pinned();
    await using guard = await listening(space, ["faults"]);
    const hanging = post(guard.url, "hang", "");
    await until(() => seen(space).includes("hang"));
    const dead = await (await post(guard.url, "die", "", { id: 2 })).json();
    expect(dead).toMatchObject({ id: 2, error: { message: "The server ended" } });
    expect(await (await hanging).json()).toMatchObject({ id: 1, error: { message: "The server ended" } });
    expect(await textOf(await post(guard.url, "echo", "again"))).toBe("again");
  });
  test("1,000 calls over HTTP, all under one id", async () => {
    const space = await pinned();
    await using guard = await listening(space, ["faults"]);
    const texts = Array.from({ length: 1000 }, (_, index) => String(index));
    expect(await Promise.all(texts.map(async (text) => textOf(await post(guard.url, "echo", text))))).toEqual(texts);
  });
});

describe("bodies without an end", () => {
  test("of clients: the longest is refused, a slow one delays no other, and an abandoned one is dropped", async () => {
    const space = await pinned();
    await using guard = await listening(space, ["faults"]);
    const head = `POST ${guard.url.pathname} HTTP/1.1\r\nHost: ${guard.url.host}\r\nContent-Type: application/json\r\n`;
    const open = (more: string) => {
      const socket = connect(Number(guard.url.port), "127.0.0.1");
      socket.on("error", () => undefined);
      socket.write(`${head}${more}\r\n\r\n`);
      onTestFinished(() => void socket.destroy());
      return socket;
    };
    const dripping = open("Content-Length: 1000");
    dripping.write("{");
    const endless = open("Transfer-Encoding: chunked");
    let answer = "";
    endless.setEncoding("latin1").on("data", (text: string) => (answer += text));
    const chunk = `100000\r\n${"x".repeat(0x100000)}\r\n`;
    const more = (): void => {
      while (!endless.destroyed && endless.write(chunk));
    };
    endless.on("drain", more);
    more();
    await new Promise((resolve) => endless.on("close", resolve));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(await textOf(await post(guard.url, "echo", "other"))).toBe("other");
  });

  test("of a client that reads nothing: its buffer is bounded, and the call is cancelled", async () => {
    const space = await pinned();
    await using guard = await listening(space, ["faults"]);
    const flooded = await post(guard.url, "flood", "");
    const reader = flooded.body?.getReader();
    await reader?.read();
    expect(await textOf(await post(guard.url, "echo", "other"))).toBe("other");
    await expect.poll(() => guard.rss()).toBeLessThan(600);
    await reader?.cancel();
  });

  test("of a server: its answer is an error, and its metadata count as missing", async () => {
    let answer: (response: ServerResponse) => void = () => undefined;
    const inner = createServer((request, response) => {
      if (request.url?.startsWith("/.well-known/")) return void endless(response);
      let body = "";
      request.on("data", (chunk) => (body += chunk));
      request.on("end", () => {
        if (request.method !== "POST") return void response.writeHead(405).end();
        const { id, method, params } = JSON.parse(body);
        if (method === "tools/call") return answer(response);
        if (id === undefined) return void response.writeHead(202).end();
        const result = resultOf(method, params);
        const said = result ? { result } : { error: { code: -32601, message: "Method not found" } };
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ jsonrpc: "2.0", id, ...said }));
      });
    }).listen(0, "127.0.0.1");
    await once(inner, "listening");
    onTestFinished(() => {
      inner.closeAllConnections();
      inner.close();
    });
    const space = new Workspace();
    onTestFinished(() => space[Symbol.dispose]());
    const { port } = inner.address() as AddressInfo;
    const made = await space.run(["pin", "--name", "faults", "--url", `http://127.0.0.1:${port}/mcp`]);
    expect(made, made.stderr).toMatchObject({ code: 0 });
    await using guard = await listening(space, ["faults"]);

    answer = (response) => endless(response.writeHead(200, { "content-type": "application/json" }));
    expect(await (await post(guard.url, "echo", "")).json()).toMatchObject({ error: { code: -32603 } });
    answer = (response) => endless(response.writeHead(200, { "content-type": "text/event-stream" }));
    expect(await (await post(guard.url, "echo", "")).json()).toMatchObject({ error: { code: -32603 } });
    answer = (response) => response.writeHead(307, { location: "/elsewhere" }).end();
    const redirected = { error: { message: expect.stringContaining("could not be reached: the server redirects") } };
    expect(await (await post(guard.url, "echo", "")).json()).toMatchObject(redirected);
    const metadata = new URL("/.well-known/oauth-protected-resource/faults", guard.url);
    expect((await fetch(metadata)).status).toBe(404);

    // A server that answers drop by drop delays no other client, and its answer ends when its client leaves.
    const left = new AbortController();
    let isLeft = false;
    answer = (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: ");
      response.on("close", () => (isLeft = true));
      left.abort();
    };
    await expect(post(guard.url, "echo", "", { signal: left.signal })).rejects.toThrow();
    await until(() => isLeft);
  });
});

/** Writes until the reader closes the stream. */
function endless(response: ServerResponse): void {
  const chunk = Buffer.alloc(1024 * 1024, 0x20);
  const next = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", next);
  next();
}

function resultOf(
  method: string,
  params: { readonly _meta?: object; readonly protocolVersion?: string },
): object | undefined {
  const serverInfo = { name: "faults", version: "1" };
  const handling = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
  const capabilities = { tools: {} };
  switch (method) {
    case "initialize":
      return { protocolVersion: params.protocolVersion, capabilities, serverInfo };
    case "server/discover":
      return {
        ...handling,
        supportedVersions: ["2026-07-28"],
        capabilities,
        _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
      };
    case "tools/list":
      return { ...(params?._meta && handling), tools: [{ name: "echo", inputSchema: { type: "object" } }] };
    default:
      return undefined;
  }
}
