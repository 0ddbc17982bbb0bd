import { globSync, readFileSync, statSync } from "node:fs";
import { type OidcWorld, oidcWorld } from "@agentprint/testing/oauth/oidc-world";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { INITIALIZE } from "../guard/guarded.ts";
import { listening } from "../guard/support.ts";
import { type HostedWorld, hostedWorld } from "../support/hosted-world.ts";

let world: HostedWorld;
let other: OidcWorld;
beforeEach(async () => {
  [world, other] = await Promise.all([hostedWorld(), oidcWorld()]);
});
afterEach(async () => {
  await Promise.all([world, other].map((each) => each[Symbol.asyncDispose]()));
});

const tokenFile = () => world.workspace.path("state/agentprint/guard/token");
const guardOf = (...args: string[]) => listening(world.workspace, ["hosted", ...args], world.env);
const post = (url: URL, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify(INITIALIZE),
  });

test("the guard holds the login, and its clients use the guard's own token", async () => {
  await world.logIn();
  await world.pin();
  world.oidc.seen.length = 0;
  await using guard = await guardOf("--login", "--record");
  const token = readFileSync(tokenFile(), "utf8").trim();
  if (process.platform !== "win32") expect(statSync(tokenFile()).mode & 0o777).toBe(0o600);
  expect((await post(guard.url)).status).toBe(401);
  expect((await post(guard.url, { authorization: `Bearer ${token.slice(1)}` })).status).toBe(401);
  // A page whose own host name resolves to this machine.
  const own = { authorization: `Bearer ${token}` };
  expect((await post(guard.url, { ...own, origin: "https://page.example" })).status).toBe(403);
  expect(world.oidc.seen).toEqual([]);

  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(guard.url, { requestInit: { headers: own } }) as never);
  const [tool] = (await client.listTools()).tools;
  expect((await client.callTool({ name: tool?.name ?? "", arguments: { city: "Oslo" } })).isError ?? false).toBe(false);
  await client.close();
  expect(world.oidc.seen.length).toBeGreaterThan(0);
  expect(world.oidc.seen.filter((each) => each.includes(token))).toEqual([]);
  expect((await fetch(new URL("/.well-known/oauth-protected-resource/hosted", guard.url))).status).toBe(404);
});

test("the guard proves the key of its login to a server that asks for it, with the server's nonce", async () => {
  world.oidc.proofs = { nonce: "first", seen: new Set() };
  await world.logIn();
  await world.pin();
  await using guard = await guardOf("--login");
  const own = { authorization: `Bearer ${readFileSync(tokenFile(), "utf8").trim()}` };
  expect((await post(guard.url, own)).status).toBe(200);
  world.oidc.proofs.nonce = "second";
  const answered = await post(guard.url, own);
  expect(answered.status).toBe(200);
  expect([...answered.headers.keys()].filter((name) => name.startsWith("dpop"))).toEqual([]);
  expect(world.oidc.seen.filter((each) => !each.startsWith("DPoP "))).toEqual([]);
});

test("the token comes from the variable, or stays from one guard to the next", async () => {
  await world.logIn();
  await world.pin();
  {
    await using guard = await listening(world.workspace, ["hosted", "--login"], {
      ...world.env,
      AGENTPRINT_GUARD_TOKEN: "correct-horse",
    });
    expect((await post(guard.url, { authorization: "Bearer correct-horse" })).status).toBe(200);
  }
  const tokens = [];
  for (let turn = 0; turn < 2; turn++) {
    await using _guard = await guardOf("--login");
    tokens.push(readFileSync(tokenFile(), "utf8"));
  }
  expect(tokens[0]).toBe(tokens[1]);
});

test("an expired login is renewed by the guard, and the client does not notice", async () => {
  world.oidc.lifetime = 1;
  await world.logIn();
  await world.pin();
  world.oidc.lifetime = 3600;
  await using guard = await guardOf("--login");
  const own = { authorization: `Bearer ${readFileSync(tokenFile(), "utf8").trim()}` };
  expect((await post(guard.url, own)).status).toBe(200);
  for (const each of new Set(world.oidc.seen)) {
    await (await world.oidc.provider.AccessToken.find(each.slice("Bearer ".length)))?.destroy();
  }
  expect((await post(guard.url, own)).status).toBe(200);
});

test("a login that moves while the guard runs gets no token, is refused and recorded", async () => {
  await world.logIn();
  await world.pin();
  await using guard = await guardOf("--login", "--recheck", "0", "--record", world.workspace.path("trail"));
  const own = { authorization: `Bearer ${readFileSync(tokenFile(), "utf8").trim()}` };
  expect((await post(guard.url, own)).status).toBe(200);
  world.oidc.seen.length = 0;
  const asked = world.oidc.tokenRequests;
  world.oidc.named = other.issuer;
  expect(await (await post(guard.url, own)).json()).toMatchObject({ error: { message: expect.any(String) } });
  expect([world.oidc.seen, world.oidc.tokenRequests, other.tokenRequests]).toEqual([[], asked, 0]);
  await expect
    .poll(async () => (await world.agentprint("guard", "log", "--record", world.workspace.path("trail"))).stdout)
    .toContain("auth/issuer-changed");
});

test("another login that replaces the guard's while it runs is refused and recorded", async () => {
  await world.logIn();
  await world.pin();
  const trail = world.workspace.path("trail");
  await using guard = await guardOf("--login", "--record", trail);
  const own = { authorization: `Bearer ${readFileSync(tokenFile(), "utf8").trim()}` };
  expect((await post(guard.url, own)).status).toBe(200);
  await world.logIn();
  world.oidc.seen.length = 0;
  expect(await (await post(guard.url, own)).json()).toMatchObject({ error: { message: expect.any(String) } });
  expect(world.oidc.seen).toEqual([]);
  expect(guard.said()).toContain("another login has replaced");
  await expect
    .poll(async () => (await world.agentprint("guard", "log", "--record", trail, "--format", "json")).stdout)
    .toContain("another login has replaced");
});

test("the guard refuses an Authorization for another server, and says what to do", async () => {
  world.oidc.isOpen = true;
  await world.pin();
  world.oidc.isOpen = false;
  await using guard = await guardOf();
  const refused = await post(guard.url, { authorization: "Bearer of-the-client" });
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("--login")]);
  expect(world.oidc.seen).toEqual([]);
  // A client cannot log in to the guard.
  const wanted = await post(guard.url);
  expect([wanted.status, wanted.headers.get("www-authenticate")]).toEqual([502, null]);
  expect(guard.said()).toContain("agentprint login hosted, and start the guard with --login");
});

test.each([[["--login", "--pass-through", "hosted"]], [["--pass-through", "unknown"]]])(
  "the guard does not start with %j",
  async (args) => {
    await world.logIn();
    await world.pin();
    const { code, stderr } = await world.agentprint("guard", "--http", "127.0.0.1:0", "hosted", ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining("the guard cannot use Authorization in this way")]);
    expect(globSync(tokenFile())).toEqual([]);
  },
);
