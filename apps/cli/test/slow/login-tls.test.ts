import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { makeServer } from "@agentprint/testing/mcp-servers/sdk-v2";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { certificate } from "../support/certificates.ts";
import { spawnCli } from "../support/spawn-cli.ts";
import { Workspace } from "../support/workspace.ts";

const CA = certificate({ name: "agentprint test" });
const GOOD = certificate({ name: "localhost", issuer: CA, host: "localhost" });
const EXPIRED = certificate({
  name: "localhost",
  issuer: CA,
  host: "localhost",
  notAfter: new Date(Date.now() - 1000),
});
const WRONG = certificate({ name: "other", issuer: CA, host: "other.example" });

const open: { close(): void }[] = [];
afterAll(() => {
  for (const each of open) each.close();
});
let space: Workspace;
beforeEach(() => {
  space = new Workspace();
  writeFileSync(space.path("ca.pem"), CA.cert);
});
afterEach(() => space[Symbol.dispose]());

/** Starts a protected server and its authorization server at one https origin, and returns the server's URL. */
async function secured({ key, cert }: typeof CA): Promise<string> {
  const handle = toNodeHandler(createMcpHandler(makeServer, { legacy: "stateless" }));
  let origin = "";
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const json = (value: object) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (request.url?.includes("oauth-protected-resource")) {
      return json({ resource: `${origin}/mcp`, authorization_servers: [origin] });
    }
    if (request.url?.includes("oauth-authorization-server")) return json({ issuer: origin });
    if (request.headers.authorization === "Bearer the-token") return handle(request as never, response);
    return response.writeHead(401, { "www-authenticate": "Bearer" }).end();
  };
  const server = createSecureServer({ key: key.export({ type: "pkcs8", format: "pem" }), cert }, answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(server);
  origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  return `${origin}/mcp`;
}

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  spawnCli(args, {
    cwd: space.folder,
    env: {
      XDG_STATE_HOME: space.path("state"),
      AGENTPRINT_TOKEN_STORE: "file",
      NODE_EXTRA_CA_CERTS: space.path("ca.pem"),
      ...env,
    },
  });
const TOKEN = ["--token-command", `${JSON.stringify(process.execPath)} -p "'the-token'"`];

test("a server with a certificate of an own authority is logged in to, pinned and checked, through a proxy, too", async () => {
  const server = await secured(GOOD);
  expect(await run(["login", server, ...TOKEN])).toMatchObject({ code: 0 });
  const pinned = await run(["pin", "--name", "hosted", "--url", server]);
  expect(pinned, pinned.stderr).toMatchObject({ code: 0 });

  const asked: (string | undefined)[] = [];
  const proxy = createServer().on("connect", ({ url }, socket) => {
    asked.push(url);
    const [, port] = url?.split(":") ?? [];
    const tunnel = connect(Number(port), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      tunnel.pipe(socket).pipe(tunnel);
    });
    for (const each of [tunnel, socket]) each.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  open.push(proxy);
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const checked = await run(["check"], { NODE_USE_ENV_PROXY: "1", HTTPS_PROXY: address, NO_PROXY: "" });
  expect(checked, checked.stderr).toMatchObject({ code: 0 });
  expect(new Set(asked)).toEqual(new Set([new URL(server).host]));
});

test.each([
  ["of an unknown authority", GOOD, { NODE_EXTRA_CA_CERTS: "" }, /unable to verify|self.signed/],
  ["that has expired", EXPIRED, {}, /expired/],
  ["of another host", WRONG, {}, /altnames|does not match/],
] as const)("a server with a certificate %s gets no token", async (_, its, env, reason) => {
  const { code, stderr } = await run(["login", await secured(its), ...TOKEN], env);
  expect([code, stderr]).toEqual([2, expect.stringMatching(reason)]);
});

test("without TLS, only this machine is logged in to", async () => {
  const { code, stderr } = await run(["login", "http://10.0.0.1/mcp", ...TOKEN]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("it is not https")]);
});
