import { oidcWorld } from "@agentprint/testing/oauth/oidc-world";
import { expect, test } from "vitest";
import { type Login, openKeyring, StoredAuthorization } from "../src/index.ts";
import { http, logIn } from "./support/log-in.ts";
import { accessToken, memoryKeyring, memoryStore, NO_CREDENTIALS } from "./support/stores.ts";

const REQUEST = { method: "POST", address: "http://127.0.0.1/mcp" };

const ask = (server: string, headers: Readonly<Record<string, string>>) => fetch(server, { method: "POST", headers });

test("an expired login is renewed once, however many requests need it at the same time", async () => {
  await using world = await oidcWorld();
  const { store } = memoryStore();
  world.lifetime = 1;
  await logIn(store, world.server);
  world.lifetime = 3600;
  const tokens = await Promise.all([1, 2, 3].map(() => accessToken(store, http, world.server, NO_CREDENTIALS)));
  expect(new Set(tokens).size).toBe(1);
  expect((await ask(world.server, { authorization: `Bearer ${tokens[0]}` })).status).toBe(200);
});

test("a refused request is sent again with a renewed token, and an ended login requires a person", async () => {
  await using world = await oidcWorld();
  const { store } = memoryStore();
  await logIn(store, world.server);
  const authorization = new StoredAuthorization({ store, http, server: world.server, credentials: NO_CREDENTIALS });
  const first = await authorization.headers(REQUEST);
  await (await world.provider.AccessToken.find(first["authorization"]?.slice(7) ?? ""))?.destroy();
  const denied = await ask(world.server, first);
  expect(denied.status).toBe(401);
  expect(await authorization.refused(denied, first)).toBe(true);
  const second = await authorization.headers(REQUEST);
  expect((await ask(world.server, second)).status).toBe(200);
  // If a server accepts no token at all, the client does not renew endlessly.
  await expect(authorization.refused(denied, second)).rejects.toMatchObject({ code: "auth-required" });
  await expect(authorization.refused(denied, { authorization: "Bearer older" })).resolves.toBe(true);
});

/** Changes to a login that make the server seem to have moved. */
const moves: [string, (login: Login, other: string) => Login][] = [
  ["another issuer", (login, issuer) => ({ ...login, issuer, endpoints: {} })],
  [
    "its token endpoint at another origin",
    (login, other) => ({ ...login, endpoints: { ...login.endpoints, token_endpoint: `${other}/token` } }),
  ],
];

test.each(moves)("a server that moves its login gets no token: %s", async (_, move) => {
  await using world = await oidcWorld();
  await using other = await oidcWorld();
  const { store } = memoryStore();
  const login = await logIn(store, world.server);
  const expired = { ...move(login, other.issuer), expiresAt: 1 };
  await store.save(expired, { accessToken: "old", refreshToken: "old-refresh" });
  const settings = { store, http, server: world.server, credentials: NO_CREDENTIALS };
  const authorization = new StoredAuthorization(settings);
  const error = { code: "auth-issuer", details: { fix: expect.stringContaining("agentprint login hosted") } };
  await expect(new StoredAuthorization({ ...settings, name: "hosted" }).headers(REQUEST)).rejects.toMatchObject(error);
  await expect(authorization.describe()).rejects.toMatchObject({ code: "auth-issuer" });
  await expect(authorization.refused(await ask(world.server, {}), {})).rejects.toMatchObject({ code: "auth-issuer" });
  expect(world.seen).toEqual([]);
  expect(world.tokenRequests + other.tokenRequests).toBe(1); // the login itself

  // A person at the terminal logs in again after a request without a token.
  const anew = new StoredAuthorization({
    ...settings,
    logIn: async () => (await logIn(store, world.server)) !== undefined,
  });
  expect(await anew.headers(REQUEST)).toEqual({});
  expect(await anew.refused(await ask(world.server, {}), {})).toBe(true);
  expect((await ask(world.server, await anew.headers(REQUEST))).status).toBe(200);
});

test("a refresh token goes to no endpoint that the login does not know", async () => {
  await using world = await oidcWorld();
  const { store } = memoryStore();
  const login = await logIn(store, world.server);
  const asked = world.tokenRequests;
  const endpoints = { ...login.endpoints, token_endpoint: "https://login.example/token" };
  await store.save({ ...login, endpoints, expiresAt: 1 }, { accessToken: "old", refreshToken: "old-refresh" });
  const renewed = accessToken(store, http, world.server, NO_CREDENTIALS);
  await expect(renewed).rejects.toMatchObject({ code: "auth-issuer" });
  expect(world.tokenRequests).toBe(asked);
});

test("a person is asked to log in again where the login has ended", async () => {
  await using world = await oidcWorld();
  const { store } = memoryStore();
  const login = await logIn(store, world.server);
  await store.save({ ...login, expiresAt: 1 }, { accessToken: "old" });
  const settings = { store, http, server: world.server, credentials: NO_CREDENTIALS };
  const denied = () => ask(world.server, {});
  const asked = new StoredAuthorization({
    ...settings,
    logIn: async () => (await logIn(store, world.server)) !== undefined,
  });
  expect(await asked.refused(await denied(), { authorization: "Bearer old" })).toBe(true);
  expect((await ask(world.server, await asked.headers(REQUEST))).status).toBe(200);
  await store.save({ ...login, expiresAt: 1 }, { accessToken: "old" });
  const nobody = new StoredAuthorization({ ...settings, logIn: async () => false });
  await expect(nobody.refused(await denied(), { authorization: "Bearer old" })).rejects.toMatchObject({
    code: "auth-required",
  });
  const broken = { ...NO_CREDENTIALS, command: () => Promise.reject(new Error("broken")) };
  await store.save({ ...login, renewal: { type: "command", command: "c" }, expiresAt: 1 }, { accessToken: "old" });
  const failing = new StoredAuthorization({ ...settings, credentials: broken, logIn: async () => true });
  await expect(failing.refused(await denied(), {})).rejects.toThrow("broken");
});

test("a login is described by what the server says now, before a token is sent, and by scopes of both", async () => {
  await using world = await oidcWorld();
  const { store } = memoryStore();
  const login = await logIn(store, world.server);
  world.scopes = "mcp:read mcp:write";
  const settings = { store, http, server: world.server, credentials: NO_CREDENTIALS };
  const { issuer, resource, endpoints } = login;
  expect(await new StoredAuthorization(settings).describe()).toEqual({
    issuer,
    resource,
    endpoints,
    client: "dynamic",
    scopes: ["mcp:read", "mcp:write"],
  });
  const accept = () => {
    throw new Error("not accepted");
  };
  const authorization = new StoredAuthorization({ ...settings, accept });
  await expect(authorization.headers(REQUEST)).rejects.toThrow("not accepted");
  expect(world.seen).toEqual([]);
});

test("a login is asked about again after a while", async () => {
  await using world = await oidcWorld();
  const { store } = memoryStore();
  await logIn(store, world.server);
  const settings = { store, http, server: world.server, credentials: NO_CREDENTIALS };
  let asked = 0;
  const accept = () => void asked++;
  for (const askAgainAfter of [undefined, 60_000, 0]) {
    const authorization = new StoredAuthorization({ ...settings, accept, askAgainAfter });
    for (let turn = 0; turn < 3; turn++) await authorization.headers(REQUEST);
  }
  expect(asked).toBe(1 + 1 + 3);
});

test("a login that is replaced between two requests sends nothing, unless the new login was made here", async () => {
  await using world = await oidcWorld();
  const { store } = memoryStore();
  await logIn(store, world.server);
  const settings = { store, http, server: world.server, credentials: NO_CREDENTIALS };
  const authorization = new StoredAuthorization(settings);
  const asked = new StoredAuthorization({
    ...settings,
    logIn: async () => (await logIn(store, world.server)) !== undefined,
  });
  for (const each of [authorization, asked]) expect(await each.headers(REQUEST)).toHaveProperty("authorization");
  const challenge = { "www-authenticate": 'Bearer error="insufficient_scope", scope="mcp:write"' };
  expect(await asked.refused(new Response(null, { status: 403, headers: challenge }), {})).toBe(true);
  expect(await asked.headers(REQUEST)).toHaveProperty("authorization");
  await expect(authorization.headers(REQUEST)).rejects.toMatchObject({ code: "auth-replaced" });
});

test("more scopes are asked for only where someone agrees, for the union of old and new", async () => {
  await using world = await oidcWorld();
  const { store } = memoryStore();
  await logIn(store, world.server);
  const challenge = 'Bearer error="insufficient_scope", scope="mcp:write"';
  const denied = () => new Response(null, { status: 403, headers: { "www-authenticate": challenge } });
  const settings = { store, http, server: world.server, credentials: NO_CREDENTIALS };
  await expect(new StoredAuthorization(settings).refused(denied(), {})).rejects.toMatchObject({ code: "auth-scope" });
  const asked: unknown[] = [];
  const agreed = new StoredAuthorization({
    ...settings,
    logIn: async ({ scope }, more) => asked.push(scope, [...more].sort()) > 0,
  });
  expect(await agreed.refused(denied(), {})).toBe(true);
  expect(asked[0]).toBe("mcp:write");
  expect(asked[1]).toContain("mcp:read");
  expect(await agreed.refused(new Response(null, { status: 403 }), {})).toBe(false);
});

test("without a login nothing is sent, and nothing is sent again", async () => {
  await using world = await oidcWorld();
  const { store } = memoryStore();
  const authorization = new StoredAuthorization({ store, http, server: world.server, credentials: NO_CREDENTIALS });
  expect(await authorization.headers(REQUEST)).toEqual({});
  expect(await authorization.refused(await ask(world.server, {}), {})).toBe(false);
});

const LOGIN: Login = {
  id: "1",
  server: "https://a.example/mcp",
  issuer: "https://login.example",
  resource: "https://a.example/mcp",
  scopes: [],
  endpoints: {},
  client: { kind: "dynamic", id: "c", method: "none" },
  renewal: { type: "command", command: "print-token" },
};

test("a token is found for its own address alone", async () => {
  const { store } = memoryStore();
  await store.save(LOGIN, { accessToken: "secret-a" });
  for (const other of [
    "https://a.example/",
    "https://a.example:444/mcp",
    "http://a.example/mcp",
    "https://b.example/mcp",
  ]) {
    expect(await accessToken(store, http, other, NO_CREDENTIALS)).toBeUndefined();
  }
  expect(await accessToken(store, http, "https://A.example/mcp#x", NO_CREDENTIALS)).toBe("secret-a");
  const credentials = { ...NO_CREDENTIALS, command: async () => "secret-b" };
  expect(await accessToken(store, http, LOGIN.server, credentials, { refused: "secret-a" })).toBe("secret-b");
});

test("each account of a server has its own login", async () => {
  const keyring = memoryKeyring(100);
  const { store } = memoryStore(keyring);
  await store.save(LOGIN, { accessToken: "secret-a" });
  await store.save({ ...LOGIN, id: "2", account: "admin" }, { accessToken: "secret-b" });
  const tokenOf = (account?: string) => accessToken(store, http, LOGIN.server, NO_CREDENTIALS, { account });
  expect([await tokenOf(), await tokenOf("admin"), await tokenOf("other")]).toEqual([
    "secret-a",
    "secret-b",
    undefined,
  ]);
  await store.remove(LOGIN.server);
  expect([await tokenOf(), await tokenOf("admin")]).toEqual([undefined, "secret-b"]);
});

test("secrets are in the keyring where it takes them, and else in the file", async () => {
  const keyring = memoryKeyring(100);
  const { store, text } = memoryStore(keyring);
  expect(await store.save(LOGIN, { accessToken: "secret" })).toBe("keyring");
  expect(text()).not.toContain("secret");
  expect(await accessToken(store, http, LOGIN.server, NO_CREDENTIALS)).toBe("secret");
  expect(await store.save(LOGIN, { accessToken: "secret".repeat(50) })).toBe("file");
  expect(keyring.kept.size).toBe(0);
  expect(text()).toContain("secretsecret");
  await store.save(LOGIN, { accessToken: "secret" });
  await store.remove(LOGIN.server);
  expect([await store.all(), keyring.kept.size]).toEqual([[], 0]);
});

test.each(["", "{", "[]", '{"agentprintLogins":1,"logins":[{"server":"no address"}]}'])(
  "%j is not a login file",
  async (content) => {
    const { store, write } = memoryStore();
    write(content);
    await expect(store.all()).rejects.toMatchObject({ code: "auth-store" });
  },
);

test("the keyring of this machine keeps a secret, or says that it does not", async () => {
  const keyring = await openKeyring();
  if (keyring === undefined) return expect(keyring).toBeUndefined();
  const account = "agentprint-test";
  const kept = await keyring.set(account, "value");
  expect(await keyring.get(account)).toBe(kept ? "value" : undefined);
  // No operating system's secret store accepts this account name.
  expect(await keyring.set("agentprint\0test", "value")).toBe(false);
  await keyring.delete(account);
  expect(await keyring.get(account)).toBeUndefined();
});
