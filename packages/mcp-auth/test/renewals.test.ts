import type { Listening } from "@agentprint/testing/oauth/listen";
import { type TokenServer, tokenServer } from "@agentprint/testing/oauth/token-server";
import { afterEach, expect, test } from "vitest";
import { githubToken } from "../src/grants/github-oidc.ts";
import { type Credentials, createAuthHttp, type Login, LoginStore } from "../src/index.ts";
import { accessToken, memoryKeyring, memoryStore, NO_CREDENTIALS } from "./support/stores.ts";

const http = createAuthHttp("loopback");
let running: Listening;
afterEach(() => running[Symbol.asyncDispose]());

async function server(): Promise<TokenServer> {
  const started = await tokenServer();
  running = started.running;
  return started;
}

const login = (issuer: string, more: Partial<Login>): Login => ({
  id: "1",
  server: `${issuer}/mcp`,
  issuer,
  resource: `${issuer}/mcp`,
  scopes: ["a"],
  endpoints: { token_endpoint: `${issuer}/token` },
  client: { kind: "pre-registered", id: "ci", method: "client_secret_basic" },
  renewal: { type: "refresh" },
  ...more,
});

const CREDENTIALS: Credentials = {
  ...NO_CREDENTIALS,
  variable: (name) => `value of ${name}`,
  file: async (path) => `text of ${path}`,
};

test.each<[string, Partial<Login>, Record<string, string> | string]>([
  ["the secret of a variable", { renewal: { type: "client-credentials", secret: { variable: "S" } } }, { scope: "a" }],
  ["the token of a file", { renewal: { type: "token-file", file: "f" } }, { assertion: "text of f" }],
  ["the refresh token", {}, { refresh_token: "r" }],
  ["a key that is none", { renewal: { type: "client-credentials", secret: { keyFile: "k" } } }, "auth-credential"],
])("a login is renewed by %s", async (_, more, expected) => {
  const { issuer, asked } = await server();
  const { store } = memoryStore();
  await store.save(
    { ...login(issuer, more), expiresAt: 1 },
    { accessToken: "old", refreshToken: "r", clientSecret: "s" },
  );
  const renewed = accessToken(store, http, `${issuer}/mcp`, CREDENTIALS);
  if (typeof expected === "string") return expect(renewed).rejects.toMatchObject({ code: expected });
  expect(await renewed).toBe("t");
  expect(Object.fromEntries(asked[0]?.body ?? [])).toMatchObject(expected);
});

test.each<[string, string, object, string]>([
  ["gives a token", "/id?x=1", { value: "job-token" }, "t"],
  ["gives none", "/id?x=1", { other: 1 }, "auth-credential"],
  ["gives no text", "/id?x=1", [], "auth-credential"],
  ["does not know the job", "/missing", {}, "auth-credential"],
])("a login is renewed by the token of a job where GitHub %s", async (_, path, value, expected) => {
  const { issuer, asked } = await server();
  const answer = running.handle;
  const requests: unknown[] = [];
  running.handle = (request, response) => {
    const json = (body: object) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (!request.url?.startsWith("/id") && request.url !== "/missing") return answer(request, response);
    requests.push([request.url, request.headers.authorization]);
    return request.url?.startsWith("/id") ? json(value) : response.writeHead(404).end();
  };
  const job = {
    ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer}${path}`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: "of-the-job",
  } as Record<string, string>;
  const { store } = memoryStore();
  const renewal = { type: "github-oidc", audience: "mcp" } as const;
  await store.save({ ...login(issuer, { renewal }), expiresAt: 1 }, { accessToken: "old" });
  const credentials = { ...NO_CREDENTIALS, variable: (name: string) => job[name] ?? "" };
  const renewed = accessToken(store, http, `${issuer}/mcp`, credentials);
  if (expected !== "t") return expect(renewed).rejects.toMatchObject({ code: expected });
  expect(await renewed).toBe("t");
  expect(requests).toEqual([["/id?x=1&audience=mcp", "Bearer of-the-job"]]);
  expect(asked[0]?.body.get("assertion")).toBe("job-token");
});

test.each<[string, object, object]>([
  ["a secret", { secret: { variable: "S" } }, { authorization: expect.stringMatching(/^Basic /) }],
  ["no secret", {}, { authorization: undefined }],
])(
  "a login is renewed by an ID token of an enterprise's provider, for a client with %s",
  async (_, place, expected) => {
    const { issuer, asked } = await server();
    const idp = await tokenServer(
      {},
      {},
      { issued_token_type: "urn:x", token_type: "N_A", access_token: "of-the-provider" },
    );
    const { store, text } = memoryStore();
    const renewal = {
      type: "enterprise",
      provider: { issuer: idp.issuer, clientId: "app" },
      file: "f",
      ...place,
    } as const;
    await store.save({ ...login(issuer, { renewal }), expiresAt: 1 }, { accessToken: "old" });
    expect(await accessToken(store, http, `${issuer}/mcp`, CREDENTIALS)).toBe("t");
    const exchanged = { subject_token: "text of f", client_id: "app", audience: issuer, resource: `${issuer}/mcp` };
    expect(Object.fromEntries(idp.asked[0]?.body ?? [])).toMatchObject(exchanged);
    expect(asked[0]).toMatchObject(expected);
    expect(asked[0]?.body.get("assertion")).toBe("of-the-provider");
    expect(text()).not.toContain("text of f");
    await idp.running[Symbol.asyncDispose]();
  },
);

test("an answer of GitHub that is no JSON gives no token", async () => {
  const { issuer } = await server();
  running.handle = (_, response) => response.writeHead(200).end("{");
  const token = githubToken(http, () => issuer, "mcp");
  await expect(token).rejects.toMatchObject({ code: "auth-credential" });
});

test("a login without a refresh token asks for a person, and one that is gone meanwhile is none", async () => {
  const { issuer, metadata } = await server();
  running.handle = (_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(metadata));
  const { store } = memoryStore();
  await store.save({ ...login(issuer, {}), expiresAt: 1 }, { accessToken: "old" });
  const ask = () => accessToken(store, http, `${issuer}/mcp`, CREDENTIALS);
  await expect(ask()).rejects.toMatchObject({ code: "auth-required" });
  // Another process logs out while this one waits for its turn.
  const text = JSON.stringify({ agentprintLogins: 1, logins: await store.all() });
  let isLoggedOut = false;
  const shared = new LoginStore(
    {
      path: "logins.json",
      read: async () => (isLoggedOut ? undefined : text),
      replace: async () => undefined,
      exclusive: (run) => {
        isLoggedOut = true;
        return run();
      },
    },
    undefined,
  );
  expect(await accessToken(shared, http, `${issuer}/mcp`, CREDENTIALS)).toBeUndefined();
});

test.each<[Login["renewal"], string]>([
  [{ type: "refresh" }, "auth-required"],
  [{ type: "token-file", file: "f" }, "auth-denied"],
])("a login that the authorization server refuses to renew says so: %j", async (renewal, code) => {
  const { issuer, metadata } = await server();
  running.handle = (request, response) => {
    const isToken = request.url === "/token";
    const answer = isToken ? { error: "invalid_grant" } : metadata;
    return response.writeHead(isToken ? 400 : 200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  };
  const { store } = memoryStore();
  await store.save({ ...login(issuer, { renewal }), expiresAt: 1 }, { accessToken: "old", refreshToken: "r" });
  await expect(accessToken(store, http, `${issuer}/mcp`, CREDENTIALS)).rejects.toMatchObject({ code });
});

test("a login whose secrets the keyring has lost asks for a person", async () => {
  const { issuer, metadata } = await server();
  running.handle = (_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(metadata));
  const keyring = memoryKeyring(1000);
  const { store } = memoryStore(keyring);
  await store.save(login(issuer, {}), { accessToken: "t" });
  keyring.kept.clear();
  await expect(accessToken(store, http, `${issuer}/mcp`, CREDENTIALS)).rejects.toMatchObject({ code: "auth-required" });
});
