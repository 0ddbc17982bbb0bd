import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import { bodyOf, type Listening, listening } from "@agentprint/testing/oauth/listen";
import { afterEach, expect, test } from "vitest";
import { type AuthError, createAuthHttp, findAuthorization, loginPerson } from "../src/index.ts";
import { MAX_ANSWER_BYTES } from "../src/limits.ts";

const CODE = "the-secret-code";

/** How a server and its authorization server lie. */
interface Lies {
  readonly challenge?: (origin: string) => string;
  readonly resource?: object;
  readonly metadata?: object;
  /** Parameters that replace the honest ones in the answer to the browser. */
  readonly answer?: Readonly<Record<string, string>>;
  readonly token?: (response: ServerResponse) => unknown;
  readonly well?: (response: ServerResponse) => unknown;
}

let open: Listening[] = [];
afterEach(async () => {
  for (const each of open) await each[Symbol.asyncDispose]();
  open = [];
});

/** Starts a lying server, and returns its address and the token requests that it receives. */
async function lying(lies: Lies): Promise<{ origin: string; server: URL; asked: string[] }> {
  const running = await listening();
  open.push(running);
  const { origin } = running;
  const asked: string[] = [];
  const json = (response: ServerResponse, value: object) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
  running.handle = async (request: IncomingMessage, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", origin);
    const resource = { resource: `${origin}/mcp`, authorization_servers: [origin], ...lies.resource };
    if (pathname.startsWith("/.well-known/oauth-protected-resource")) return json(response, resource);
    if (pathname === "/.well-known/oauth-authorization-server") {
      if (lies.well !== undefined) return lies.well(response);
      return json(response, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        code_challenge_methods_supported: ["S256"],
        authorization_response_iss_parameter_supported: true,
        token_endpoint_auth_methods_supported: ["none"],
        ...lies.metadata,
      });
    }
    if (pathname === "/register") {
      const { redirect_uris: redirects } = JSON.parse(await bodyOf(request)) as { redirect_uris: string[] };
      return response
        .writeHead(201, { "content-type": "application/json" })
        .end(JSON.stringify({ client_id: "c", redirect_uris: redirects, token_endpoint_auth_method: "none" }));
    }
    if (pathname === "/authorize") {
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      const honest = { code: CODE, state: searchParams.get("state") ?? "", iss: origin };
      for (const [name, value] of Object.entries({ ...honest, ...lies.answer })) {
        if (value !== "") back.searchParams.set(name, value);
      }
      return response.writeHead(302, { location: back.href }).end();
    }
    if (pathname === "/token") {
      asked.push(await bodyOf(request));
      return lies.token?.(response) ?? json(response, { access_token: "the-secret-token", token_type: "Bearer" });
    }
    const challenge = lies.challenge?.(origin) ?? "Bearer";
    return response.writeHead(401, { "www-authenticate": challenge }).end();
  };
  return { origin, server: new URL(`${origin}/mcp`), asked };
}

/** Answers until the client ends the connection. */
function answerWithoutEnd(response: ServerResponse): true {
  response.writeHead(200, { "content-type": "application/json" });
  const chunk = Buffer.alloc(64 * 1024, " ");
  pipeline(
    new Readable({
      read() {
        this.push(chunk);
      },
    }),
    response,
    () => undefined,
  );
  return true;
}

async function logIn(server: URL): Promise<unknown> {
  const http = createAuthHttp("loopback");
  try {
    const found = await findAuthorization(http, server);
    return await loginPerson({
      http,
      server: found,
      choice: {},
      browse: async (address) => {
        await (await fetch(address)).text();
      },
    });
  } finally {
    await http.close();
  }
}

const refused = async (server: URL): Promise<AuthError> => {
  const error = (await logIn(server).catch((reason: unknown) => reason)) as AuthError;
  const texts = JSON.stringify([error.message, error.details, String(error.cause)]);
  expect(texts).not.toContain(CODE);
  expect(texts).not.toContain("the-secret-token");
  return error;
};

test("a login to an honest server works", async () => {
  const { server, origin, asked } = await lying({});
  expect(await logIn(server)).toMatchObject({ tokens: { accessToken: "the-secret-token" } });
  expect(new URLSearchParams(asked[0]).get("resource")).toBe(`${origin}/mcp`);
});

test.each<[string, Lies, string]>([
  ["metadata of another issuer", { metadata: { issuer: "https://honest.example" } }, "auth-issuer"],
  [
    "an authorization server that does not answer",
    { resource: { authorization_servers: ["https://127.0.0.1:1/"] } },
    "auth-metadata",
  ],
  ["an answer of another issuer (mix-up)", { answer: { iss: "https://honest.example" } }, "auth-response"],
  ["an answer without the issuer that it promises", { answer: { iss: "" } }, "auth-response"],
  [
    "an unexpected issuer where none is promised",
    { answer: { iss: "https://honest.example" }, metadata: { authorization_response_iss_parameter_supported: false } },
    "auth-response",
  ],
  [
    "an error of another issuer",
    { answer: { error: "<b>", iss: "https://honest.example", code: "" } },
    "auth-response",
  ],
  ["metadata of another resource", { resource: { resource: "https://honest.example/mcp" } }, "auth-resource"],
  ["metadata of a deeper resource", { resource: { resource: "http://127.0.0.1/mcp/deeper" } }, "auth-resource"],
  ["a downgrade to plain PKCE", { metadata: { code_challenge_methods_supported: ["plain"] } }, "auth-pkce"],
  ["no word about PKCE", { metadata: { code_challenge_methods_supported: undefined } }, "auth-pkce"],
  ["metadata at another origin", { challenge: () => 'Bearer resource_metadata="https://a.example/x"' }, "auth-address"],
  [
    "an issuer at a cloud's metadata",
    { resource: { authorization_servers: ["http://169.254.169.254"] } },
    "auth-address",
  ],
  ["a token endpoint without https", { metadata: { token_endpoint: "http://a.example/token" } }, "auth-address"],
  ["a file as authorization endpoint", { metadata: { authorization_endpoint: "file:///etc/passwd" } }, "auth-address"],
  ["an endpoint with user information", { metadata: { token_endpoint: "https://u:p@a.example/" } }, "auth-address"],
  [
    "metadata that redirects",
    { well: (r) => r.writeHead(302, { location: "http://127.0.0.1:1/" }).end() },
    "auth-address",
  ],
  [
    "a token endpoint that redirects",
    { token: (r) => r.writeHead(307, { location: "https://a.example" }).end() },
    "auth-address",
  ],
  ["metadata without end", { well: (r) => r.writeHead(200).end("x".repeat(MAX_ANSWER_BYTES + 1)) }, "auth-limit"],
  ["an answer with a token without end", { token: (r) => answerWithoutEnd(r) }, "auth-limit"],
  [
    "metadata of a resource at loopback of another port",
    { resource: { resource: "http://127.0.0.1:1/mcp" } },
    "auth-resource",
  ],
  [
    "a challenge to metadata at a cloud's",
    { challenge: () => 'Bearer resource_metadata="http://169.254.169.254/x"' },
    "auth-address",
  ],
  [
    "an issuer inside the cloud's network by IPv6",
    { resource: { authorization_servers: ["http://[::ffff:169.254.169.254]"] } },
    "auth-address",
  ],
  [
    "metadata that is text",
    {
      well: (r) =>
        r.writeHead(200, { "content-type": "text/plain" }).end(JSON.stringify({ issuer: "https://honest.example" })),
    },
    "auth-issuer",
  ],
  ["metadata that is no JSON", { well: (r) => r.writeHead(200).end("{") }, "auth-metadata"],
  ["no authorization server", { resource: { authorization_servers: [] } }, "auth-metadata"],
  ["no metadata", { well: (r) => r.writeHead(404).end() }, "auth-metadata"],
  ["a client that is not registered", { metadata: { registration_endpoint: undefined } }, "auth-client"],
  [
    "a token endpoint that says no",
    { token: (r) => r.writeHead(400, { "content-type": "application/json" }).end('{"error":"invalid_grant"}') },
    "auth-denied",
  ],
  ["a token endpoint that breaks off", { token: (r) => r.destroy() }, "auth-metadata"],
])("%s is refused", async (_, lies, code) => {
  const { server, asked } = await lying(lies);
  const error = await refused(server);
  expect(error).toMatchObject({ name: "AuthError", code });
  expect(error.message).not.toContain("<b>");
  if (code !== "auth-denied" && lies.token === undefined) expect(asked).toEqual([]);
});

test("an answer with another state is discarded, and the right one is waited for", async () => {
  const { server } = await lying({});
  const http = createAuthHttp("loopback");
  const found = await findAuthorization(http, server);
  const statuses: number[] = [];
  await loginPerson({
    http,
    server: found,
    choice: {},
    browse: async (address) => {
      const callback = new URL(new URL(address).searchParams.get("redirect_uri") ?? "");
      callback.search = "?code=forged&state=forged";
      statuses.push(
        (await fetch(callback)).status,
        (await fetch(callback.origin)).status,
        (await fetch(address)).status,
      );
    },
  });
  expect(statuses).toEqual([400, 404, 200]);
  await http.close();
});

test("a cancelled wait for an answer ends", async () => {
  const { server } = await lying({});
  const http = createAuthHttp("loopback");
  const found = await findAuthorization(http, server);
  const off = new AbortController();
  const login = loginPerson({ http, server: found, choice: {}, browse: () => off.abort(), signal: off.signal });
  await expect(login).rejects.toMatchObject({ code: "auth-limit" });
  await http.close();
});
