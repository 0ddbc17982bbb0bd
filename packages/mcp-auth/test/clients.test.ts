import { generateKeyPairSync } from "node:crypto";
import { type Listening, listening } from "@agentprint/testing/oauth/listen";
import { type TokenServer, tokenServer } from "@agentprint/testing/oauth/token-server";
import { afterEach, expect, test } from "vitest";
import { chooseClient } from "../src/client.ts";
import {
  authenticationOf,
  createAuthHttp,
  discover,
  exchangeIdToken,
  findAuthorization,
  grantByAssertion,
  grantByCredentials,
  grantByRefresh,
  loginPerson,
  readChallenge,
  readIssuer,
} from "../src/index.ts";

const http = createAuthHttp("loopback");
let running: Listening;
afterEach(() => running[Symbol.asyncDispose]());

async function server(...members: Parameters<typeof tokenServer>): Promise<TokenServer> {
  const started = await tokenServer(...members);
  running = started.running;
  return started;
}

const pem = (key: ReturnType<typeof generateKeyPairSync>["privateKey"]) =>
  key.export({ type: "pkcs8", format: "pem" }).toString();
const registration = { redirects: ["http://127.0.0.1/callback"], scopes: ["mcp:read", "mcp:write"] };
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

test.each([
  [["client_secret_basic"], "client_secret_basic", basic("ci:s%20cret")],
  [["client_secret_post"], "client_secret_post", undefined],
  [undefined, "client_secret_basic", basic("ci:s%20cret")],
])("a pre-registered client authenticates as the server offers: %j", async (offered, method, authorization) => {
  const { metadata, issuer, resource, asked } = await server({ token_endpoint_auth_methods_supported: offered });
  const client = await chooseClient(http, metadata, { id: "ci", issuer, secret: { secret: "s cret" } }, registration);
  expect(client.client).toEqual({ kind: "pre-registered", id: "ci", method });
  await grantByCredentials({ http, server: { metadata, resource }, client, scopes: [] });
  expect(asked[0]?.authorization).toBe(authorization);
  expect(asked[0]?.body.get("client_secret")).toBe(authorization === undefined ? "s cret" : null);
  expect(asked[0]?.body.get("client_id")).toBe("ci");
});

test("a pre-registered client with a key signs, whatever the server offers", async () => {
  const { metadata } = await server();
  const key = pem(generateKeyPairSync("ed25519").privateKey);
  const client = await chooseClient(http, metadata, { id: "ci", secret: { key } }, registration);
  expect(client.client.method).toBe("private_key_jwt");
});

test("a client of another issuer is sent to nobody", async () => {
  const { metadata } = await server();
  const choice = { id: "ci", issuer: "https://other.example", secret: { secret: "s" } };
  await expect(chooseClient(http, metadata, choice, registration)).rejects.toMatchObject({ code: "auth-issuer" });
});

test("a metadata document is used where the server takes one, else a client is registered, or asked for", async () => {
  const document = "https://client.example/metadata.json";
  const { metadata } = await server({ client_id_metadata_document_supported: true });
  const known = await chooseClient(http, metadata, { metadataDocument: document }, registration);
  expect(known).toEqual({ client: { kind: "metadata-document", id: document, method: "none" }, secret: undefined });
  const bare = { ...(metadata as object), client_id_metadata_document_supported: false } as never;
  expect((await chooseClient(http, bare, { metadataDocument: document }, registration)).client.kind).toBe("dynamic");
  const closed = { ...(bare as object), registration_endpoint: undefined } as never;
  const ask = async () => "typed";
  expect((await chooseClient(http, closed, { ask }, registration)).client).toMatchObject({
    id: "typed",
    method: "none",
  });
  const none = chooseClient(http, closed, { ask: async () => "" }, registration);
  await expect(none).rejects.toMatchObject({ code: "auth-client" });
});

test.each([
  [["client_secret_post"], {}, "client_secret_post"],
  [["client_secret_basic"], { token_endpoint_auth_method: "client_secret_basic" }, "client_secret_basic"],
  [["private_key_jwt"], { token_endpoint_auth_method: "none" }, "none"],
  [undefined, { client_secret_expires_at: 0 }, "client_secret_basic"],
])(
  "a registered client has the secret and the method that the server gives: %j",
  async (offered, registered, method) => {
    const { metadata, resource, asked } = await server(
      {
        token_endpoint_auth_methods_supported: offered,
        grant_types_supported: ["authorization_code", "refresh_token"],
      },
      registered,
    );
    const client = await chooseClient(http, metadata, {}, registration);
    expect(client).toEqual({ client: { kind: "dynamic", id: "made", method }, secret: { secret: "made-secret" } });
    const tokens = await grantByRefresh({ http, server: { metadata, resource }, client, scopes: [] }, "old");
    expect(tokens.refreshToken).toBe("old");
    expect(asked[0]?.authorization === undefined).toBe(method !== "client_secret_basic");
  },
);

test("a client is registered with the scopes that it asks for", async () => {
  const { metadata } = await server();
  let registered = "";
  running.handle = (request, response) => {
    request.on("data", (part) => {
      registered += part;
    });
    request.on("end", () =>
      response.writeHead(201, { "content-type": "application/json" }).end('{"client_id":"made"}'),
    );
  };
  await chooseClient(http, metadata, {}, registration);
  expect(JSON.parse(registered)).toMatchObject({ scope: "mcp:read mcp:write" });
  await chooseClient(http, metadata, {}, { ...registration, scopes: [] });
  expect(registered.split("}{")[1]).not.toContain("scope");
});

test("a registration that answers no JSON is refused", async () => {
  const { metadata } = await server();
  running.handle = (_, response) => response.writeHead(201).end("{");
  await expect(chooseClient(http, metadata, {}, registration)).rejects.toMatchObject({ code: "auth-response" });
});

test.each([
  ["RSA", pem(generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey), undefined, "RS256"],
  ["RSA-PSS", pem(generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey), "PS512", "PS512"],
  ["Ed25519", pem(generateKeyPairSync("ed25519").privateKey), undefined, "Ed25519"],
  ["P-521", pem(generateKeyPairSync("ec", { namedCurve: "P-521" }).privateKey), undefined, "ES512"],
])("a key of %s signs", async (_, key, algorithm, alg) => {
  const { metadata, resource, asked } = await server();
  const secret = algorithm === undefined ? { key } : { key, algorithm };
  const client = { client: { kind: "pre-registered", id: "ci", method: "private_key_jwt" }, secret } as const;
  await grantByCredentials({ http, server: { metadata, resource }, client, scopes: ["a"] });
  const [header = ""] = (asked[0]?.body.get("client_assertion") ?? "").split(".");
  expect(JSON.parse(Buffer.from(header, "base64url").toString())).toMatchObject({ alg });
});

test.each([
  ["no key"],
  [pem(generateKeyPairSync("x25519").privateKey)],
  [pem(generateKeyPairSync("ec", { namedCurve: "secp256k1" }).privateKey)],
])("another key is refused: %j", async (key) => {
  running = await listening();
  const client = { kind: "pre-registered", id: "ci", method: "private_key_jwt" } as const;
  await expect(authenticationOf({ client, secret: { key } })).rejects.toMatchObject({ code: "auth-credential" });
});

test("a workload and an enterprise's provider exchange what they have for a token", async () => {
  const { metadata, issuer, resource, asked } = await server({}, {}, { issued_token_type: "urn:x", token_type: "N_A" });
  const client = { client: { kind: "pre-registered", id: "ci", method: "none" }, secret: undefined } as const;
  const provider = { metadata, clientId: "app", idToken: "id" };
  const protectedServer = { metadata, issuer, resource, scopesSupported: undefined };
  expect(await exchangeIdToken(http, provider, protectedServer)).toBe("t");
  expect(Object.fromEntries(asked[0]?.body ?? [])).toMatchObject({ subject_token: "id", audience: issuer, resource });
  await running[Symbol.asyncDispose]();
  const again = await server();
  const grant = { http, server: { metadata: again.metadata, resource }, client, scopes: ["a"] };
  expect(await grantByAssertion(grant, "workload")).toMatchObject({ accessToken: "t", scopes: ["a"] });
  expect(Object.fromEntries(again.asked[0]?.body ?? [])).toMatchObject({ assertion: "workload", scope: "a", resource });
});

test("the metadata of an issuer with a path is found at each of its places", async () => {
  running = await listening();
  const { origin } = running;
  const seen: string[] = [];
  running.handle = (request, response) => {
    seen.push(request.url ?? "");
    if (request.url !== "/tenant/.well-known/openid-configuration") return response.writeHead(404).end();
    return response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ issuer: `${origin}/tenant` }));
  };
  expect((await readIssuer(http, `${origin}/tenant`)).issuer).toBe(`${origin}/tenant`);
  expect(seen).toEqual([
    "/.well-known/oauth-authorization-server/tenant",
    "/.well-known/openid-configuration/tenant",
    "/tenant/.well-known/openid-configuration",
  ]);
  running.handle = (_, response) => response.writeHead(503).end();
  await expect(readIssuer(http, `${origin}/tenant`)).rejects.toMatchObject({ code: "auth-metadata" });
});

test.each([
  ["no authorization endpoint", { code_challenge_methods_supported: ["S256"] }, "auth-metadata", false],
  ["no login on another device", { code_challenge_methods_supported: ["S256"] }, "auth-metadata", true],
])("a person cannot log in: %s", async (_, metadata, code, isDevice) => {
  const found = { ...(await server(metadata)), scopes: [] };
  const showDevice = isDevice ? () => undefined : undefined;
  const wish = { http, server: found, choice: { id: "c" }, browse: () => undefined, showDevice };
  await expect(loginPerson(wish)).rejects.toMatchObject({ code });
});

test("a port in use is reported, and a device code that nobody enters expires", async () => {
  const found = {
    ...(await server({ code_challenge_methods_supported: ["S256"], authorization_endpoint: "http://127.0.0.1/a" })),
    scopes: [],
  };
  const taken = Number(new URL(running.origin).port);
  const wish = { http, server: found, choice: { id: "c" }, browse: () => undefined };
  await expect(loginPerson({ ...wish, redirectPort: taken })).rejects.toMatchObject({ code: "auth-credential" });
  const off = new AbortController();
  off.abort();
  await expect(loginPerson({ ...wish, signal: off.signal })).rejects.toMatchObject({ code: "auth-limit" });
  let error = "authorization_pending";
  const device_authorization_endpoint = `${running.origin}/device`;
  const device = {
    device_code: "d",
    user_code: "U",
    verification_uri: `${running.origin}/v`,
    expires_in: 1,
    interval: 1.1,
  };
  running.handle = (request, response) => {
    const isDevice = request.url === "/device";
    const answer = isDevice ? device : { error };
    response.writeHead(isDevice ? 200 : 400, { "content-type": "application/json" }).end(JSON.stringify(answer));
  };
  const metadata = { ...(found.metadata as object), device_authorization_endpoint } as never;
  const late = loginPerson({ ...wish, server: { ...found, metadata }, showDevice: () => undefined });
  await expect(late).rejects.toMatchObject({ code: "auth-limit" });
  error = "access_denied";
  const denied = loginPerson({ ...wish, server: { ...found, metadata }, showDevice: () => undefined });
  await expect(denied).rejects.toMatchObject({ code: "auth-denied" });
});

test("a challenge without parameters, and one of another scheme, ask for nothing", async () => {
  running = await listening();
  const of = (value: string) =>
    readChallenge(new Response(null, { status: 401, headers: { "www-authenticate": value } }));
  expect(await of('DPoP scope="a"')).toMatchObject({ scope: "a" });
  expect(await of('Basic realm="x"')).toEqual({ resourceMetadata: undefined, scope: undefined, error: undefined });
  expect(await readChallenge(new Response(null, { status: 401 }))).toEqual({});
});

test("scopes are those that the resource lists where the challenge names none", async () => {
  running = await listening();
  const { origin } = running;
  running.handle = (request, response) => {
    if (request.method === "POST") return response.writeHead(200).end("{}");
    const isResource = request.url?.includes("oauth-protected-resource");
    const document = isResource
      ? { resource: `${origin}/`, authorization_servers: [origin], scopes_supported: [1] }
      : { issuer: origin };
    return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
  };
  expect(await findAuthorization(http, new URL(`${origin}/mcp?tenant=1`))).toMatchObject({ scopes: [] });
  const found = await discover(http, new URL(`${origin}/`), {});
  expect(found).toMatchObject({ resource: `${origin}/`, scopesSupported: undefined });
});
