import { generateKeyPairSync } from "node:crypto";
import { bodyOf, listening } from "@agentprint/testing/oauth/listen";
import { browse, oidcWorld } from "@agentprint/testing/oauth/oidc-world";
import { expect, test } from "vitest";
import { createAuthHttp, findAuthorization, grantByCredentials, grantByRefresh, loginPerson } from "../src/index.ts";

test.concurrent("a person logs in by a client that is registered on the way, and the token serves and is refreshed with rotation", async () => {
  await using world = await oidcWorld();
  const http = createAuthHttp("loopback");
  const server = await findAuthorization(http, new URL(world.server));
  expect(server).toMatchObject({ issuer: world.issuer, resource: world.server, scopes: ["mcp:read"] });
  const { tokens, client } = await loginPerson({ http, server, choice: {}, browse });
  expect(client.client.kind).toBe("dynamic");
  expect(tokens.scopes).toContain("mcp:read");
  const ask = (token: string) => fetch(world.server, { method: "POST", headers: { authorization: `Bearer ${token}` } });
  expect((await ask(tokens.accessToken)).status).toBe(200);

  const grant = { http, server, client, scopes: tokens.scopes };
  const again = await grantByRefresh(grant, tokens.refreshToken ?? "");
  expect((await ask(again.accessToken)).status).toBe(200);
  expect(again.refreshToken).not.toBe(tokens.refreshToken);
  await expect(grantByRefresh(grant, tokens.refreshToken ?? "")).rejects.toMatchObject({ code: "auth-denied" });
  await http.close();
});

const PAIR = generateKeyPairSync("ec", { namedCurve: "P-256" });
const jwk = { ...PAIR.publicKey.export({ format: "jwk" }), alg: "ES256", use: "sig" };
const shared = { grant_types: ["client_credentials"], redirect_uris: [], response_types: [] };

test.concurrent.each([
  ["secret", { client_secret: "s3cret", token_endpoint_auth_method: "client_secret_basic" }, { secret: "s3cret" }],
  [
    "private key",
    { jwks: { keys: [jwk] }, token_endpoint_auth_method: "private_key_jwt" },
    { key: PAIR.privateKey.export({ type: "pkcs8", format: "pem" }).toString() },
  ],
] as const)("a program logs in by its %s", async (_, registered, secret) => {
  const scope = "mcp:read";
  await using world = await oidcWorld([{ client_id: "ci", scope, ...shared, ...registered } as never]);
  const http = createAuthHttp("loopback");
  const server = await findAuthorization(http, new URL(world.server));
  const method = "key" in secret ? "private_key_jwt" : "client_secret_basic";
  const client = { client: { kind: "pre-registered", id: "ci", method }, secret } as const;
  const tokens = await grantByCredentials({ http, server, client, scopes: server.scopes });
  const headers = { authorization: `Bearer ${tokens.accessToken}` };
  expect((await fetch(world.server, { method: "POST", headers })).status).toBe(200);
  await http.close();
});

test.concurrent("a person logs in on another device: pending, slower, and then done", async () => {
  await using running = await listening();
  const { origin } = running;
  const answers = ["authorization_pending", "slow_down"];
  const bodies: URLSearchParams[] = [];
  running.handle = async (request, response) => {
    bodies.push(new URLSearchParams(await bodyOf(request)));
    const json = (status: number, value: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (request.url === "/device") {
      return json(200, {
        device_code: "d",
        user_code: "ABCD",
        verification_uri: `${origin}/v`,
        expires_in: 60,
        interval: 0.001,
      });
    }
    const error = answers.shift();
    return error === undefined ? json(200, { access_token: "t", token_type: "Bearer" }) : json(400, { error });
  };
  const http = createAuthHttp("loopback");
  const metadata = {
    issuer: origin,
    token_endpoint: `${origin}/token`,
    device_authorization_endpoint: `${origin}/device`,
  };
  const server = { resource: `${origin}/mcp`, issuer: origin, metadata, scopesSupported: undefined, scopes: ["a"] };
  const shown: string[] = [];
  const { tokens } = await loginPerson({
    http,
    server,
    choice: { id: "c" },
    browse: () => undefined,
    showDevice: (...words) => void shown.push(...words),
  });
  expect(shown).toEqual([`${origin}/v`, "ABCD"]);
  expect(tokens).toMatchObject({ accessToken: "t", scopes: ["a"] });
  for (const body of bodies) expect(body.get("resource")).toBe(`${origin}/mcp`);
  await http.close();
});
