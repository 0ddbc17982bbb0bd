import { bodyOf, listening } from "@agentprint/testing/oauth/listen";
import { type OidcWorld, oidcWorld } from "@agentprint/testing/oauth/oidc-world";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  discover,
  endpointsOf,
  findAuthorization,
  grantByRefresh,
  type Login,
  newProofKey,
  obtainTokens,
  type ProofKey,
  readChallenge,
  StoredAuthorization,
  secretsWith,
} from "../src/index.ts";
import { proverOf } from "../src/proof.ts";
import { http, logIn } from "./support/log-in.ts";
import { memoryStore, NO_CREDENTIALS } from "./support/stores.ts";

const ci = { client_id: "ci", client_secret: "s3cret", scope: "mcp:read", grant_types: ["client_credentials"] };
let world: OidcWorld;
beforeEach(async () => {
  world = await oidcWorld([{ ...ci, redirect_uris: [], response_types: [] } as never]);
});
afterEach(() => world[Symbol.asyncDispose]());

const settings = () => ({ store, http, server: world.server, credentials: NO_CREDENTIALS });
let { store, text } = memoryStore();
beforeEach(() => {
  ({ store, text } = memoryStore());
});

/** Sends requests as a visit does, sends one again if the authorization requires it, and returns the statuses. */
async function send(authorization: StoredAuthorization, method = "POST"): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < 3) {
    const sent = await authorization.headers({ method, address: `${world.server}?page=1` });
    const response = await fetch(`${world.server}?page=1`, { method, headers: sent });
    statuses.push(response.status);
    if (response.status !== 401 || !(await authorization.refused(response, sent))) break;
  }
  return statuses;
}

test("a server that asks for proofs gets a new one with each request, with the nonce that it gave last", async () => {
  world.proofs = { nonce: "first", seen: new Set() };
  const login = await logIn(store, world.server);
  const authorization = new StoredAuthorization(settings());
  expect(await send(authorization)).toEqual([401, 200]);
  expect(await send(authorization, "GET")).toEqual([200]);
  world.proofs.nonce = "second";
  expect(await send(authorization, "DELETE")).toEqual([401, 200]);
  expect(world.proofs.seen.size).toBe(5);
  expect(world.seen.every((each) => each.startsWith("DPoP "))).toBe(true);
  // The key is stored with the login's secrets, and no proof is valid for another request.
  expect(JSON.stringify(login)).not.toContain('"d"');
  expect((await store.all())[0]?.secrets?.proofKey?.d).toHaveLength(43);
  const sent = await authorization.headers({ method: "POST", address: `${world.server}/other` });
  expect((await fetch(world.server, { method: "POST", headers: sent })).status).toBe(401);
  const stolen = { authorization: sent["authorization"]?.replace("DPoP", "Bearer") ?? "" };
  expect((await fetch(world.server, { method: "POST", headers: stolen })).status).toBe(401);
});

test("a login is renewed with the key that it has, and a person who logs in again gets another one", async () => {
  world.proofs = { nonce: undefined, seen: new Set() };
  world.lifetime = 1;
  await logIn(store, world.server);
  const key = (await store.all())[0]?.secrets;
  world.lifetime = 3600;
  const authorization = new StoredAuthorization({
    ...settings(),
    logIn: async () => (await logIn(store, world.server)) !== undefined,
  });
  expect(await send(authorization)).toEqual([200]);
  const renewed = (await store.all())[0]?.secrets;
  expect(renewed?.accessToken).not.toBe(key?.accessToken);
  expect(renewed?.proofKey).toEqual(key?.proofKey);
  // The provider has ended the login.
  for (const old of [key, renewed]) {
    await (await world.provider.AccessToken.find(old?.accessToken ?? ""))?.destroy();
    await (await world.provider.RefreshToken.find(old?.refreshToken ?? ""))?.destroy();
  }
  expect(await send(authorization)).toEqual([401, 200]);
  expect((await store.all())[0]?.secrets?.proofKey).not.toEqual(key?.proofKey);
});

test("a program proves its key, too, and a visit by its login", async () => {
  world.proofs = { nonce: "n", seen: new Set() };
  const found = await findAuthorization(http, new URL(world.server));
  const { issuer, resource, scopes, metadata } = found;
  const client = { kind: "pre-registered", id: "ci", method: "client_secret_basic" } as const;
  const renewal = { type: "client-credentials", secret: { variable: "S" } } as const;
  const endpoints = endpointsOf(metadata);
  const login: Login = { id: "1", server: world.server, issuer, resource, scopes, endpoints, client, renewal };
  const credentials = { ...NO_CREDENTIALS, variable: () => "s3cret" };
  const proofKey = await newProofKey(found);
  const tokens = await obtainTokens(http, login, { proofKey }, credentials);
  await store.save({ ...login, expiresAt: 1 }, secretsWith(tokens, undefined));
  expect(await send(new StoredAuthorization({ ...settings(), credentials }))).toEqual([401, 200]);
  expect((await store.all())[0]?.secrets).toMatchObject({ proofKey });
});

test("an authorization server that only offers proofs gets none, and issues a bearer token", async () => {
  await logIn(store, world.server);
  const authorization = new StoredAuthorization(settings());
  expect(await send(authorization)).toEqual([200]);
  expect(world.seen[0]).toMatch(/^Bearer /);
  expect(text()).not.toContain("proofKey");
});

/**
 * Starts an authorization server that answers token requests with the given errors in turn, then with a token of the
 * given type.
 */
async function demanding(errors: readonly string[], type: string) {
  const running = await listening();
  const { origin } = running;
  const proofs: (string | undefined)[] = [];
  running.handle = async (request, response) => {
    await bodyOf(request);
    const proof = request.headers["dpop"];
    const [, claims] = typeof proof === "string" ? proof.split(".") : [];
    proofs.push(claims && (JSON.parse(Buffer.from(claims, "base64url").toString()) as { nonce?: string }).nonce);
    const error = errors[proofs.length - 1];
    const answer = error === undefined ? { access_token: "t", token_type: type } : { error };
    const headers = { "content-type": "application/json", "dpop-nonce": `n${proofs.length}` };
    return response.writeHead(error === undefined ? 200 : 400, headers).end(JSON.stringify(answer));
  };
  const metadata = { issuer: origin, token_endpoint: `${origin}/token`, dpop_signing_alg_values_supported: ["ES512"] };
  const client = { client: { kind: "pre-registered", id: "c", method: "none" }, secret: undefined } as const;
  const ask = (proofKey?: ProofKey) =>
    proverOf(proofKey).then((prover) =>
      grantByRefresh({ http, server: { metadata, resource: origin }, client, scopes: [], prover }, "r"),
    );
  return { ask, proofs, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}

const PROOF = "invalid_dpop_proof";
const NONCE = "use_dpop_nonce";

test("an authorization server that asks for a proof by its answer gets one, with its nonce", async () => {
  await using server = await demanding([PROOF, NONCE], "DPoP");
  const { proofKey } = await server.ask();
  expect(proofKey?.crv).toBe("P-521");
  expect(server.proofs).toEqual([undefined, undefined, "n2"]);
});

test.each([
  ["asks for nonces without end", [NONCE, NONCE, NONCE, NONCE], "DPoP", "auth-denied", 3],
  ["takes no proof", [PROOF, PROOF], "DPoP", "auth-denied", 2],
  ["binds a token to a key that it has not seen", [], "DPoP", "auth-response", 1],
])("an authorization server that %s gives no token", async (_, errors, type, code, requests) => {
  await using server = await demanding(errors, type);
  await expect(server.ask()).rejects.toMatchObject({ code });
  expect(server.proofs).toHaveLength(requests);
});

test("a token that is not bound to a key is a bearer token", async () => {
  await using server = await demanding([], "Bearer");
  const { accessToken, proofKey } = await server.ask(await newProofKey({ proofAlgorithms: [], metadata: NOBODY }));
  expect([accessToken, proofKey]).toEqual(["t", undefined]);
});

const NOBODY = { issuer: "https://login.example" };

test.each([
  [undefined, undefined, undefined],
  [[], undefined, "P-256"],
  [["RS256", "ES512", "ES384"], undefined, "P-384"],
  [[], ["ES384"], "P-384"],
  [["ES256", "ES512"], ["ES512"], "P-521"],
])("the key is for an algorithm that %j and %j have", async (proofAlgorithms, offered, curve) => {
  const metadata = { ...NOBODY, ...(offered && { dpop_signing_alg_values_supported: offered }) };
  expect((await newProofKey({ proofAlgorithms, metadata }))?.crv).toBe(curve);
});

test("servers that have no algorithm in common with this package are named with theirs", async () => {
  const metadata = { ...NOBODY, dpop_signing_alg_values_supported: ["ES256"] };
  await expect(newProofKey({ proofAlgorithms: ["RS256"], metadata })).rejects.toMatchObject({
    code: "auth-metadata",
    message: expect.stringContaining("RS256"),
    details: { where: NOBODY.issuer },
  });
});

test.each([
  ['DPoP algs="ES256 PS256"', ["ES256", "PS256"], undefined],
  ['Bearer scope="a", DPoP error="use_dpop_nonce"', [], "use_dpop_nonce"],
  ['DPoP error="use_dpop_nonce", Bearer error="invalid_token"', [], "use_dpop_nonce"],
  ['Bearer scope="a"', undefined, undefined],
])("the challenge %s asks for proofs by %j", async (header, proofAlgorithms, error) => {
  const response = new Response(null, { status: 401, headers: { "www-authenticate": header } });
  expect(await readChallenge(response)).toMatchObject({ proofAlgorithms, error });
});

test.each<[object, readonly string[] | undefined, readonly string[] | undefined]>([
  [{}, undefined, undefined],
  [{ dpop_signing_alg_values_supported: ["ES384"] }, undefined, ["ES384"]],
  [{ dpop_signing_alg_values_supported: ["ES384"] }, ["ES256"], ["ES256"]],
  [{ dpop_signing_alg_values_supported: [] }, undefined, undefined],
  [{ dpop_signing_alg_values_supported: "ES256" }, [], []],
  [{ dpop_bound_access_tokens_required: true }, undefined, []],
])("the metadata %j with the challenge %j ask for proofs by %j", async (members, proofAlgorithms, expected) => {
  await using running = await listening();
  const { origin } = running;
  running.handle = ({ url = "" }, response) => {
    const isResource = url.includes("oauth-protected-resource");
    const document = isResource
      ? { resource: origin, authorization_servers: [origin], ...members }
      : { issuer: origin };
    return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
  };
  const found = await discover(http, new URL(origin), { proofAlgorithms });
  expect(found.proofAlgorithms).toEqual(expected);
});

test("an invalid key is reported without its text, and so is a token that does not fit a header", async () => {
  const key = (await newProofKey({ proofAlgorithms: [], metadata: NOBODY })) as ProofKey;
  const broken = { ...key, d: "secret-of-the-key" };
  const error = (await proverOf(broken).catch((reason: unknown) => reason)) as Error;
  expect(error).toMatchObject({ code: "auth-store", cause: undefined });
  const login = await logIn(store, world.server);
  await store.save(login, { accessToken: "secret\ntoken", proofKey: key });
  const headers = new StoredAuthorization(settings()).headers({ method: "GET", address: world.server });
  const refused = (await headers.catch((reason: unknown) => reason)) as Error;
  expect(refused).toMatchObject({ code: "auth-response", cause: undefined });
  expect(`${error.stack}${refused.stack}`).not.toContain("secret");
});
