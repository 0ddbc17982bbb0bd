import type { ServerAuth, VisitAnswers } from "@agentprint/mcp";
import { checkLock, createLock, driftFindings, formatLock, listsByLogin, parseLock } from "@agentprint/mcp-lock";
import { isMovedAuth } from "@agentprint/mcp-lock/lock";
import { everywhere, TOOL } from "@agentprint/testing/lock/visit-answers";
import { expect, test } from "vitest";

const AUTH: ServerAuth = {
  issuer: "https://login.example.com",
  resource: "https://mcp.example.com/mcp",
  scopes: ["mcp:read", "mcp:list", "mcp:read"],
  client: "dynamic",
  endpoints: {
    authorization_endpoint: "https://login.example.com/authorize",
    token_endpoint: "https://tokens.example.com/token",
  },
};
const reached = (auth?: ServerAuth): Record<string, VisitAnswers> => ({
  hosted: { ...everywhere(), ...(auth && { auth }) },
});
const endpoints = (changed: Record<string, string>): ServerAuth => ({
  ...AUTH,
  endpoints: { ...AUTH.endpoints, ...changed },
});
const found = (before: ServerAuth | undefined, after: ServerAuth | undefined) => {
  const drift = checkLock(createLock(reached(before)), reached(after));
  const findings = driftFindings(drift).map(({ rule, level, place }) =>
    `${level} ${rule} ${place.pointer ?? ""}`.trim(),
  );
  return [drift.outcome, ...findings];
};

test("an entry holds the login, each scope once and sorted, under its digest", () => {
  const lock = createLock(reached(AUTH));
  expect(lock.servers[0]?.auth?.scopes).toEqual(["mcp:list", "mcp:read"]);
  expect(parseLock(formatLock(lock))).toEqual(lock);
  const moved = formatLock(lock).replace("login.example.com/authorize", "login.example.com/other");
  expect(() => parseLock(moved)).toThrow(expect.objectContaining({ code: "digest-mismatch" }));
});

test.each<[string, ServerAuth | undefined, string[]]>([
  ["the same login", AUTH, ["same"]],
  ["a visit without a login", undefined, ["same"]],
  ["another client", { ...AUTH, client: "pre-registered" }, ["same"]],
  ["another issuer", { ...AUTH, issuer: "https://a.example" }, ["drift", "error auth/issuer-changed /issuer"]],
  [
    "an endpoint at another origin",
    endpoints({ token_endpoint: "https://a.example/token" }),
    ["drift", "error auth/endpoint-origin-changed /endpoints/token_endpoint"],
  ],
  [
    "an endpoint at another port",
    endpoints({ token_endpoint: "https://tokens.example.com:444/token" }),
    ["drift", "error auth/endpoint-origin-changed /endpoints/token_endpoint"],
  ],
  [
    "a new endpoint at an unknown origin",
    endpoints({ registration_endpoint: "https://a.example/register" }),
    ["drift", "error auth/endpoint-origin-changed /endpoints/registration_endpoint"],
  ],
  [
    "a new endpoint at a known origin",
    endpoints({ registration_endpoint: "https://login.example.com/register" }),
    ["drift", "warning auth/metadata-changed /endpoints/registration_endpoint"],
  ],
  [
    "an endpoint at another path",
    endpoints({ token_endpoint: "https://tokens.example.com/oauth/token" }),
    ["drift", "warning auth/metadata-changed /endpoints/token_endpoint"],
  ],
  [
    "an endpoint with the name of a member of every object",
    endpoints({ constructor: "no address" }),
    ["drift", "error auth/endpoint-origin-changed /endpoints/constructor"],
  ],
  [
    "another resource",
    { ...AUTH, resource: "https://mcp.example.com/" },
    ["drift", "warning auth/metadata-changed /resource"],
  ],
  [
    "another scope",
    { ...AUTH, scopes: ["mcp:list", "mcp:write"] },
    ["drift", "error auth/scopes-widened /scopes", "note auth/scopes-narrowed /scopes"],
  ],
  ["fewer scopes", { ...AUTH, scopes: ["mcp:list"] }, ["same", "note auth/scopes-narrowed /scopes"]],
])("%s", (_, after, expected) => {
  expect(found(AUTH, after)).toEqual(expected);
});

test("a server that began to ask for a login has other metadata", () => {
  expect(found(undefined, AUTH)).toEqual(["drift", "warning auth/metadata-changed"]);
});

test("a login that moved is drift, although nothing was asked of the server", () => {
  const auth = { ...AUTH, issuer: "https://a.example" };
  const failure = { code: "auth-moved", message: "the login has moved", auth };
  const drift = checkLock(createLock(reached(AUTH)), { hosted: { failure } });
  expect(drift.outcome).toBe("drift");
  expect(driftFindings(drift)).toMatchObject([
    { rule: "auth/issuer-changed", before: AUTH.issuer, after: auth.issuer },
  ]);
  expect([isMovedAuth(AUTH, auth), isMovedAuth(AUTH, { ...AUTH, scopes: [] })]).toEqual([true, false]);
});

test("lists that depend on the login are those of entries with one address and different accounts or scopes", () => {
  const launch = { type: "http", url: AUTH.resource, headers: [] } as const;
  const by = (auth: Partial<ServerAuth>, ...names: string[]): VisitAnswers => ({
    ...everywhere({
      tools: names.map((name) => ({ ...TOOL, name, description: `${auth.account} ${name.length > 4}` })),
    }),
    launch: { ...launch, headers: [] },
    auth: { ...AUTH, ...auth },
  });
  const { servers } = createLock({
    a: by({}, "read"),
    b: by({ account: "admin" }, "delete", "read"),
    c: by({ scopes: ["mcp:read"] }, "write"),
    d: by({}, "other"),
    e: { ...by({ account: "admin" }, "other"), launch: { ...launch, url: "https://b.example", headers: [] } },
    f: everywhere(),
  });
  const tools = { server: "a", list: "tools" };
  expect(listsByLogin(servers)).toEqual([
    { ...tools, other: "b", onlyServer: [], onlyOther: ["delete"], changed: ["read"] },
    { ...tools, other: "c", onlyServer: ["read"], onlyOther: ["write"], changed: [] },
  ]);
});
