import { listening } from "@agentprint/testing/oauth/listen";
import { expect, test } from "vitest";
import { lookupWithin } from "../src/http/lookup-within.ts";
import { createAuthHttp, mayName, type Reach, reachOf, reachOfServer } from "../src/index.ts";

test.each<[string, Reach]>([
  ["8.8.8.8", "public"],
  ["2606:4700::1111", "public"],
  ["10.1.2.3", "private"],
  ["172.31.0.1", "private"],
  ["192.168.1.1", "private"],
  ["100.64.0.1", "private"],
  ["fd12::1", "private"],
  ["64:ff9b::7f00:1", "private"],
  ["127.0.0.1", "loopback"],
  ["127.9.9.9", "loopback"],
  ["::1", "loopback"],
  ["::ffff:127.0.0.1", "loopback"],
  ["::ffff:10.0.0.1", "private"],
  ["::ffff:169.254.169.254", "forbidden"],
  ["169.254.169.254", "forbidden"],
  ["fd00:ec2::254", "forbidden"],
  ["fe80::1", "forbidden"],
  ["0.0.0.0", "forbidden"],
  ["255.255.255.255", "forbidden"],
])("%s is %s", (address, reach) => {
  expect(reachOf(address)).toBe(reach);
});

test("a server names no address that is nearer to this machine than itself, and nobody a forbidden one", () => {
  const all: readonly Reach[] = ["public", "private", "loopback", "forbidden"];
  const named = all.map((server) => all.filter((each) => mayName(server, each)));
  expect(named[0]).toEqual(["public"]);
  expect(named[1]).toEqual(["public", "private"]);
  expect(named[2]).toEqual(["public", "private", "loopback"]);
});

test.each([
  "https://127.0.0.1/",
  "https://0x7f.1/",
  "https://2130706433/",
  "https://[::1]/",
  "https://[::ffff:7f00:1]/",
  "https://localhost/",
  "https://a.localhost./",
  "https://10.0.0.1/",
  "https://169.254.169.254/",
  "http://example.com/",
  "no address",
])("a public server may not name %s", async (address) => {
  const http = createAuthHttp("public");
  await expect(http.fetch(address)).rejects.toMatchObject({ code: "auth-address" });
  await http.close();
});

test.each([
  ["localhost", "public", "auth-address"],
  ["localhost", "private", "auth-address"],
  ["localhost", "loopback", undefined],
  ["no-such-host.invalid", "public", "ENOTFOUND"],
] as const)("%s, looked up for a %s server: %s", async (name, reach, code) => {
  for (const all of [true, false]) {
    const error = await new Promise((resolve) => lookupWithin(reach)(name, { all }, resolve));
    expect((error as { code?: string } | null)?.code).toBe(code);
  }
});

test("requests go through the proxy that the environment names, and end with their signal", async () => {
  await using proxy = await listening();
  const asked: string[] = [];
  proxy.handle = (_, response) => response.writeHead(204).end();
  proxy.connect((request, socket) => {
    asked.push(`${request.method} ${request.url}`);
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  const { env } = process;
  const before = { ...env };
  Object.assign(env, { NODE_USE_ENV_PROXY: "1", http_proxy: proxy.origin, https_proxy: proxy.origin, no_proxy: "" });
  try {
    const http = createAuthHttp("loopback");
    await expect(http.fetch("https://login.example/token")).rejects.toMatchObject({ code: "auth-metadata" });
    expect(asked).toEqual(["CONNECT login.example:443"]);
    await http.close();
  } finally {
    for (const name of ["NODE_USE_ENV_PROXY", "http_proxy", "https_proxy", "no_proxy"]) {
      if (before[name] === undefined) delete env[name];
      else env[name] = before[name];
    }
  }
  const direct = createAuthHttp("loopback");
  expect((await direct.fetch(`${proxy.origin}/empty`)).status).toBe(204);
  await direct.close();
  const off = new AbortController();
  off.abort();
  const ended = createAuthHttp("loopback", off.signal);
  await expect(ended.fetch(proxy.origin)).rejects.toMatchObject({ code: "auth-metadata" });
  await ended.close();
});

test("a server has the reach of its address", async () => {
  expect(await reachOfServer(new URL("http://127.0.0.1:1/"))).toBe("loopback");
  expect(await reachOfServer(new URL("http://localhost/"))).toBe("loopback");
  expect(await reachOfServer(new URL("https://no-such-host.invalid/"))).toBe("public");
});
