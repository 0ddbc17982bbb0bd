import { request as send } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Tokens } from "../src/access/tokens.ts";
import { startHttp } from "../src/http/serve-http.ts";
import { connectHttp, post, startTestHttp, type TestHttp } from "./support/http.ts";
import { ERAS, type Json, messageOf, until } from "./support/server.ts";

const THOUGHT = { type: "plan", task_id: "task-42", content: "Migrate the table." };
const LIST = JSON.stringify(messageOf("2026-07-28", 1, "tools/list"));
const MODERN = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };
const HASH = { ...MODERN, "mcp-method": "tools/call", "mcp-name": "code_hash_normalized" };
const LONG = { name: "code_hash_normalized", arguments: { content: "a b\n".repeat(1_000_000) } };
const textOf = ({ content }: Json): string => content[0].text;

let http: TestHttp;
beforeEach(async () => {
  http = await startTestHttp({ failure_limit: "3" });
});
afterEach(() => http.close());

/** Returns the status of the answer to a request whose headers are sent unchanged, which `fetch` does not do. */
function statusOf(headers: Record<string, string>, method = "POST"): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const all = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...MODERN,
      ...headers,
    };
    const request = send(http.url, { method, headers: all }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on("error", reject).end(method === "POST" ? LIST : undefined);
  });
}

describe.each(ERAS)("a client of revision %s", (revision) => {
  test("records and reads over HTTP", async () => {
    const client = await connectHttp(http.url, revision);
    const { structuredContent } = await client.call("thought_record", THOUGHT);
    expect(structuredContent).toMatchObject({ ...THOUGHT, agent_id: "raw-client" });
    expect(
      (await client.call("thought_get", { task_id: THOUGHT.task_id, id: structuredContent.id })).structuredContent,
    ).toEqual(structuredContent);
  });

  test("with a token sees only the token's tasks, and records as its agent", async () => {
    const { tokens } = http.services;
    const { token } = await tokens.issue({ agentId: "planner", tasks: ["team-a/*", "shared"] }, new Date());
    const everything = await connectHttp(http.url, revision);
    const other = (await everything.call("thought_record", { ...THOUGHT, task_id: "team-b/1" })).structuredContent;
    const client = await connectHttp(http.url, revision, token);
    const own = (await client.call("thought_record", { ...THOUGHT, task_id: "team-a/1" })).structuredContent;
    expect(own.agent_id).toBe("planner");
    expect(textOf(await client.call("thought_record", { ...THOUGHT, task_id: "shared", agent_id: "boss" }))).toMatch(
      /^AGENT_MISMATCH/,
    );
    for (const task_id of ["team-b/1", "team-a", "shared2", "missing"]) {
      expect(textOf(await client.call("thought_record", { ...THOUGHT, task_id }))).toMatch(/^TASK_FORBIDDEN/);
      for (const tool of ["thought_list", "audit_verify_chain", "audit_checkpoint"]) {
        expect(textOf(await client.call(tool, { task_id }))).toMatch(/^TASK_FORBIDDEN/);
      }
    }
    const [hidden, missing] = [
      await client.call("thought_get", { task_id: "team-b/1", id: other.id }),
      await client.call("thought_get", { task_id: "team-b/1", id: "x" }),
    ];
    expect(textOf(hidden)).toBe(textOf(missing));
    expect(textOf(await client.call("thought_get", { task_id: "team-a/1", id: other.id }))).toMatch(
      /^THOUGHT_NOT_FOUND/,
    );
    const taken = { ...THOUGHT, task_id: "team-a/1", id: other.id, content: "The same id is free here." };
    expect((await client.call("thought_record", taken)).structuredContent).toMatchObject({ id: other.id });
    const { resources } = (await client.request("resources/list")).result;
    expect(resources.map(({ name }: Json) => name)).toEqual(["team-a/1"]);
    const read = await client.request("resources/read", { uri: "trail://task/team-b%2F1" });
    expect(read.error.message).toMatch(/not found/i);
    const ref = { type: "ref/resource", uri: "trail://task/{task}" };
    const complete = { ref, argument: { name: "task", value: "team-" } };
    expect((await client.request("completion/complete", complete)).result.completion.values).toEqual(["team-a%2F1"]);
  });
});

test.each([
  ["another name of this machine, as a page does that rebinds DNS", { host: "evil.example" }],
  ["a page elsewhere", { origin: "https://evil.example" }],
  ["a page without an origin", { origin: "null" }],
])("a request from %s is refused", async (_name, headers) => {
  expect(await statusOf(headers)).toBe(403);
  expect(await statusOf({ origin: "http://localhost:5173" })).toBe(200);
});

test("a wrong or revoked token is refused, and guessing is slowed down", async () => {
  const { trail } = http.services;
  const tokens = new Tokens(trail, 0);
  const bearer = (token: string) => ({ ...MODERN, authorization: `Bearer ${token}` });
  const { id, token } = await tokens.issue({ agentId: undefined, tasks: ["*"] }, new Date());
  const forgetful = await startHttp({ ...http.services, tokens });
  expect((await post(forgetful.url, LIST, bearer(token))).status).toBe(200);
  await tokens.revoke(id, new Date());
  await expect(tokens.revoke(id, new Date())).rejects.toMatchObject({ code: "TOKEN_NOT_FOUND" });
  const refused = await post(forgetful.url, LIST, bearer(token));
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).toMatch(/^Bearer realm=.*invalid_token/);
  await forgetful.close();

  const unused = (await tokens.issue({ agentId: undefined, tasks: ["*"] }, new Date())).token;
  const slowing = await startHttp({ ...http.services, tokens });
  const wrong = [`Bearer ${unused.slice(0, -1)}`, "Bearer x", "Basic eDp5", `Bearer amt_${"A".repeat(43)}`, "Bearer y"];
  const statuses = [];
  for (const authorization of wrong) {
    const { status, headers } = await post(slowing.url, LIST, { ...MODERN, authorization });
    statuses.push(status);
    if (status === 429) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  }
  expect(statuses).toEqual([401, 401, 401, 429, 429]);
  // A valid token from the same address is accepted, though this server has never seen it before.
  expect((await post(slowing.url, LIST, bearer(unused))).status).toBe(200);
  expect((await post(slowing.url, LIST, MODERN)).status).toBe(200);
  await slowing.close();
});

test("a server that others can reach requires a token", async () => {
  const open = await startTestHttp({ host: "0.0.0.0", allowed_hosts: "mcp.example" });
  const url = open.url.replace("0.0.0.0", "127.0.0.1");
  const { token } = await open.services.tokens.issue({ agentId: undefined, tasks: ["*"] }, new Date());
  expect((await post(url, LIST, MODERN)).status).toBe(401);
  expect((await post(url, LIST, { ...MODERN, authorization: `bearer ${token}` })).status).toBe(200);
  await open.close();
});

test("a session belongs to its token, and beyond the limit the oldest session ends", async () => {
  const few = await startTestHttp({ session_limit: "2" });
  const issue = async () => (await few.services.tokens.issue({ agentId: undefined, tasks: ["*"] }, new Date())).token;
  const [mine, theirs] = [await issue(), await issue()];
  const clients = [];
  for (const token of [mine, mine, theirs]) clients.push(await connectHttp(few.url, "2025-11-25", token));
  const [first, second] = clients as [Awaited<ReturnType<typeof connectHttp>>, Awaited<ReturnType<typeof connectHttp>>];
  const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
  const stolen = { ...first.headers, authorization: `Bearer ${theirs}` };
  expect((await post(few.url, ping, stolen)).status).toBe(404);
  expect((await post(few.url, ping, first.headers)).status).toBe(200);
  await connectHttp(few.url, "2025-11-25", mine);
  expect((await post(few.url, ping, second.headers)).status).toBe(404);
  expect((await post(few.url, ping, first.headers)).status).toBe(200);
  expect((await fetch(few.url, { method: "DELETE", headers: first.headers })).status).toBe(200);
  expect((await post(few.url, ping, first.headers)).status).toBe(404);
  expect((await post(few.url, ping, { authorization: `Bearer ${mine}` })).status).toBe(400);
  await few.close();
});

test("malformed and unknown requests are refused, and the next one answered", async () => {
  const small = await startTestHttp({ hash_limit: "1024", content_limit: "1024" });
  for (const body of ["", "{", "[]", "null", '{"jsonrpc":"2.0"}']) {
    expect((await post(small.url, body, MODERN)).status, body).toBe(400);
  }
  expect((await post(small.url.replace("/mcp", "/other"), LIST)).status).toBe(404);
  expect((await fetch(small.url.replace("/mcp", "/healthz"))).status).toBe(200);
  expect((await post(small.url, LIST, MODERN)).body.result.tools).toHaveLength(11);
  await small.close();
});

test("a call whose client hangs up, or cancels it in its session, records nothing and ends as CANCELLED", async () => {
  const { calls, logged, trail } = http.services;
  let release = (): void => {};
  const held = trail.transact(
    () =>
      new Promise<void>((resolve) => {
        release = resolve;
      }),
  );
  const params = { name: "thought_record", arguments: THOUGHT };
  const hangUp = new AbortController();
  const headers = { ...MODERN, "mcp-method": "tools/call", "mcp-name": "thought_record" };
  const message = JSON.stringify(messageOf("2026-07-28", 1, "tools/call", params));
  const aborted = expect(post(http.url, message, headers, hangUp.signal)).rejects.toThrow();
  await until(() => calls.size === 1);
  hangUp.abort();
  await aborted;

  const session = (await connectHttp(http.url, "2025-11-25")).headers;
  const called = post(http.url, JSON.stringify(messageOf("2025-11-25", 9, "tools/call", params)), session);
  await until(() => calls.size === 2);
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 9 } };
  expect((await post(http.url, JSON.stringify(cancel), session)).status).toBe(202);
  release();
  await held;
  await until(() => logged.filter(({ outcome }) => outcome === "CANCELLED").length === 2);
  expect(await trail.head("task-42")).toBeNull();
  await fetch(http.url, { method: "DELETE", headers: session });
  expect((await called).body).toBeUndefined();
});

test("a call that the server's end aborts is answered with CANCELLED", async () => {
  const ending = await startTestHttp();
  const answered = post(ending.url, JSON.stringify(messageOf("2026-07-28", 1, "tools/call", LONG)), HASH);
  await until(() => ending.services.calls.size === 1);
  await ending.close();
  expect((await answered).body.result.structuredContent).toMatchObject({ hash: null, errorCode: "CANCELLED" });
});

test("a port that is taken is an error of the configuration", async () => {
  const config = { ...http.services.config, port: Number(new URL(http.url).port) };
  await expect(startHttp({ ...http.services, config })).rejects.toMatchObject({
    code: "INVALID_CONFIGURATION",
    message: expect.stringContaining("EADDRINUSE"),
  });
});
