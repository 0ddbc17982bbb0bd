import { EMPTY } from "@agentprint/testing/manifest/scoped-manifests";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { issueKey, revokeKey } from "../src/keys/keys.ts";
import { openRegistry, type TestRegistry } from "./support/registry.ts";

let registry: TestRegistry;
beforeAll(async () => {
  registry = await openRegistry({ failure_limit: "1000" });
  await registry.create("demo", EMPTY);
});
afterAll(() => registry.close());

const json = JSON.stringify(EMPTY);
const deep = (levels: number): string =>
  json.replace('"tools":[]', `"tools":${"[".repeat(levels)}${"]".repeat(levels)}`);

describe("a body that is refused", () => {
  test.each<[string, string, number, string, object]>([
    ["nothing", "", 400, "INVALID_JSON", {}],
    ["no JSON", "{", 400, "INVALID_JSON", { line: 1 }],
    ["a duplicate key", '{\n"tools":1,"tools":2}', 400, "INVALID_JSON", { line: 2, pointer: "/tools" }],
    ["a byte order mark", `\ufeff${json}`, 400, "INVALID_JSON", {}],
    ["a lone surrogate", '{"a":"\\ud800"}', 400, "INVALID_JSON", {}],
    ["512 levels", deep(512), 422, "MANIFEST_TOO_DEEP", {}],
    ["another version", json.replace("1.0", "2.0"), 422, "UNSUPPORTED_SCHEMA_VERSION", { pointer: "/schema_version" }],
    ["an unknown member", json.replace("{", '{"__proto__":{},'), 422, "UNKNOWN_FIELD", { pointer: "/__proto__" }],
  ])("has %s", async (_name, body, status, code, issue) => {
    const answer = await registry.publish("demo", 0, { body });
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(answer.body).toMatchObject({ type: "about:blank", status, code, errors: [{ code, ...issue }] });
    expect(answer.body.errors.length).toBeLessThanOrEqual(101);
  });

  test("lists at most a hundred problems", async () => {
    const tools = Array.from({ length: 5000 }, () => 0);
    expect((await registry.publish("demo", { ...EMPTY, tools })).body.errors).toHaveLength(100);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", ""])(
    "has the media type %j",
    async (type) => {
      const answer = await registry.publish("demo", EMPTY, { headers: { "content-type": type } });
      expect(answer.body).toMatchObject({ status: 415, code: "UNSUPPORTED_MEDIA_TYPE" });
      expect(answer.headers.get("accept-patch")).toBe("application/json");
    },
  );

  test("is compressed", async () => {
    const answer = await registry.publish("demo", EMPTY, { headers: { "content-encoding": "gzip" } });
    expect(answer.status).toBe(415);
  });
});

describe("a token", () => {
  const publish = (token: string | null, agent = "demo") => registry.publish(agent, EMPTY, { token });

  test("that is missing, truncated, altered or from no registry is 401", async () => {
    const { token } = registry;
    const last = token.endsWith("A") ? "B" : "A";
    const wrong = [null, "", "x", token.slice(0, -1), token.slice(0, -1) + last, `${token}A`, "' or 1=1 --", "hsk_"];
    for (const one of wrong) {
      const answer = await publish(one);
      expect([one, answer.status, answer.body.code]).toEqual([one, 401, "UNAUTHENTICATED"]);
      expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer realm=/);
      expect(answer.text).not.toContain(token.slice(22));
    }
  });

  test("of another agent is 403, whether or not the agent exists", async () => {
    const { token } = await issueKey(registry.services.store, "mine", new Date());
    expect((await publish(token)).body).toMatchObject({ status: 403, code: "FORBIDDEN" });
    expect((await publish(token, "nobody")).status).toBe(403);
    expect((await publish(token, "mine")).body).toMatchObject({ status: 404, code: "AGENT_NOT_FOUND" });
    const body = JSON.stringify({ agent_id: "other", manifest: EMPTY });
    expect((await registry.request("POST", "/agents", { token, body })).status).toBe(403);
  });

  test("that was revoked is 401", async () => {
    const { token, id } = await issueKey(registry.services.store, "demo", new Date());
    expect((await publish(token)).status).toBe(200);
    await revokeKey(registry.services.store, id, new Date());
    expect((await publish(token)).status).toBe(401);
  });
});

describe("a path", () => {
  test.each([
    "/nothing",
    "/agents/",
    "/agents/no%00body",
    "/agents/..%2f..%2fetc",
    "/agents/%27%20or%201=1",
    "/agents/demo/versions/0",
    "/agents/demo/versions/1e3",
    "/agents/demo/versions/99999999999999999999",
    "/agents/demo/versions/2147483648",
  ])("%s leads to nothing", async (path) => {
    expect((await registry.get(path)).body).toMatchObject({ status: 404 });
  });

  test("that has other methods lists them", async () => {
    for (const method of ["DELETE", "PUT", "OPTIONS", "POST"]) {
      const answer = await registry.request(method, "/agents/demo");
      expect([method, answer.body.code, answer.headers.get("allow")]).toEqual([
        method,
        "METHOD_NOT_ALLOWED",
        "PATCH, GET, HEAD",
      ]);
    }
  });

  test("of an unknown agent is 404 for every read", async () => {
    for (const rest of [
      "",
      "/manifest",
      "/versions",
      "/versions/1",
      "/diff?from=1&to=1",
      "/consent?accepted=1",
      "/history",
      "/checkpoint",
    ]) {
      expect((await registry.get(`/agents/nobody${rest}`)).body).toMatchObject({
        status: 404,
        code: "AGENT_NOT_FOUND",
      });
    }
    expect((await registry.get("/agents/demo/versions/9")).body).toMatchObject({ code: "VERSION_NOT_FOUND" });
  });
});

test.each(["?limit=0", "?limit=101", "?limit=1&limit=2", "?after=", "?after=a%2Fb", "?nothing=1"])(
  "a query of %s is 400 and names the parameter",
  async (query) => {
    const answer = await registry.get(`/agents${query}`);
    expect(answer.body).toMatchObject({ status: 400, code: "INVALID_QUERY" });
    expect(answer.body.errors[0].parameter).toBe(/^\?(\w+)/.exec(query)?.[1]);
  },
);

test("no page of another origin can read an answer, unless the configuration names the origin", async () => {
  const origin = "https://example.com";
  expect((await registry.get("/agents", { origin })).headers.get("access-control-allow-origin")).toBeNull();
  const open = await openRegistry({ cors_origins: origin });
  expect((await open.get("/agents", { origin })).headers.get("access-control-allow-origin")).toBe(origin);
  expect(
    (await open.get("/agents", { origin: "https://example.org" })).headers.get("access-control-allow-origin"),
  ).toBeNull();
  const [page, openPage] = [await registry.get("/"), await open.get("/", { origin })];
  expect(openPage.headers.get("content-security-policy")).toBe(page.headers.get("content-security-policy"));
  await open.close();
});

test.each(["/agents", "/agents/nobody", "/nothing", "/", "/pages/nothing", "/docs", "/metrics", "/events?agent=demo"])(
  "the headers of %s keep browsers from guessing its type, caching it unasked, or framing it",
  async (path) => {
    const { headers, body } = await registry.app.request(path);
    await body?.cancel();
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-cache");
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none';.*frame-ancestors 'none'/);
  },
);

test("a HEAD request has the headers of GET and no body", async () => {
  const [get, head] = [await registry.get("/agents/demo"), await registry.request("HEAD", "/agents/demo")];
  expect([head.status, head.text, head.headers.get("etag")]).toEqual([200, "", get.headers.get("etag")]);
});

test("too many requests are 429, by address, by key and by wrong token", async () => {
  const limited = await openRegistry({ address_limit: "4", key_limit: "2", failure_limit: "1" });
  const statuses: unknown[] = [];
  for (let count = 0; count < 3; count++) statuses.push((await limited.create(`a${count}`, EMPTY)).status);
  for (let count = 0; count < 2; count++) statuses.push((await limited.publish("a1", EMPTY, { token: "x" })).status);
  for (let count = 0; count < 3; count++) statuses.push((await limited.get("/agents")).status);
  expect(statuses).toEqual([201, 201, 429, 401, 429, 200, 200, 429]);
  const refused = await limited.get("/agents");
  expect(refused.body.code).toBe("RATE_LIMITED");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await limited.get("/healthz")).status).toBe(200);
  await limited.close();
});

test("a client's address is the socket's, or the one seen by the last trusted proxy; IPv6 counts by network", async () => {
  const statuses = async (registry: TestRegistry, ...addresses: string[]): Promise<number[]> => {
    const all: number[] = [];
    for (const address of addresses) all.push((await registry.get("/agents", { "x-forwarded-for": address })).status);
    await registry.close();
    return all;
  };
  const direct = await openRegistry({ address_limit: "1" });
  expect(await statuses(direct, "192.0.2.1", "192.0.2.2")).toEqual([200, 429]);
  const behind = await openRegistry({ address_limit: "1", trusted_proxies: "1" });
  const addresses = ["192.0.2.1", "spoofed, 192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"];
  expect(await statuses(behind, ...addresses)).toEqual([200, 429, 200, 200, 429, 200]);
});
