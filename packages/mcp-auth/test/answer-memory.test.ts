import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { type Listening, listening } from "@agentprint/testing/oauth/listen";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AnswerMemory, type AuthHttp, createAuthHttp } from "../src/index.ts";

interface Scripted {
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

let server: Listening;
let http: AuthHttp;
let memory: AnswerMemory;
let asked: IncomingHttpHeaders[];
let answer: Scripted;
beforeEach(async () => {
  server = await listening();
  memory = { answers: new Map(), waits: new Map() };
  http = createAuthHttp("loopback", undefined, memory);
  asked = [];
  server.handle = (request, response) => {
    asked.push(request.headers);
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
  };
});
afterEach(async () => {
  await http.close();
  await server[Symbol.asyncDispose]();
});

async function ask(next: Scripted, headers: Readonly<Record<string, string>> = {}, path = "/meta") {
  answer = next;
  const response = await http.fetch(`${server.origin}${path}`, { headers: { accept: "application/json", ...headers } });
  return [response.status, await response.text()];
}
const TAGGED = { headers: { etag: '"one"', "content-type": "application/json" }, body: "first" };
const SAME = { status: 304, headers: { etag: '"one"' } };

describe("an answer with a mark of its version", () => {
  test("is asked for by its ETag, and kept where the server says 304", async () => {
    expect(await ask(TAGGED)).toEqual([200, "first"]);
    expect(await ask(SAME)).toEqual([200, "first"]);
    expect(await ask({ status: 304, headers: { etag: 'W/"one"' } })).toEqual([200, "first"]);
    expect(await ask({ status: 304 })).toEqual([200, "first"]);
    expect(asked.map((headers) => headers["if-none-match"])).toEqual([undefined, '"one"', '"one"', '"one"']);
  });

  test("is replaced by another one, and forgotten with one that has no mark", async () => {
    await ask(TAGGED);
    expect(await ask({ headers: { etag: '"two"' }, body: "second" })).toEqual([200, "second"]);
    expect(await ask({ body: "third" })).toEqual([200, "third"]);
    expect(await ask({ body: "third" })).toEqual([200, "third"]);
    expect(asked.map((headers) => headers["if-none-match"])).toEqual([undefined, '"one"', '"two"', undefined]);
  });

  test("may be the time of its last change", async () => {
    const time = "Fri, 27 Nov 2026 10:00:00 GMT";
    await ask({ headers: { "last-modified": time }, body: "dated" });
    expect(await ask({ status: 304 })).toEqual([200, "dated"]);
    expect(asked.at(-1)).toMatchObject({ "if-modified-since": time });
  });

  test.each([
    ["with a token", { authorization: "Bearer x" }, {}],
    ["that shall not be stored", {}, { "cache-control": "private, No-Store" }],
  ])("is not kept where it is one %s", async (_name, headers, more) => {
    await ask({ ...TAGGED, headers: { ...TAGGED.headers, ...more } }, headers);
    expect(memory.answers.size).toBe(0);
  });

  test("is forgotten after an error, and the memory has a limit", async () => {
    await ask(TAGGED);
    expect(await ask({ status: 404 })).toEqual([404, ""]);
    expect(memory.answers.size).toBe(0);
    for (let place = 0; place < 101; place++) await ask(TAGGED, {}, `/${place}`);
    expect(memory.answers.size).toBe(100);
  });
});

describe("a 304 is an error, and not the same answer", () => {
  test.each([
    ["without an answer that is kept", async () => undefined],
    ["after an answer without a mark", () => ask({ body: "unmarked" })],
    ["about another ETag", () => ask({ ...TAGGED, headers: { etag: '"other"' } })],
  ])("%s", async (_name, before) => {
    await before();
    await expect(ask(SAME)).rejects.toMatchObject({ code: "auth-metadata" });
    expect(await ask({ body: "whole" })).toEqual([200, "whole"]);
  });

  test("without a memory", async () => {
    await http.close();
    http = createAuthHttp("loopback");
    await expect(ask(SAME)).rejects.toMatchObject({ code: "auth-address" });
  });
});

describe("a server that wants to be left alone", () => {
  test.each([
    [429, "3600"],
    [503, new Date(Date.now() + 3_600_000).toUTCString()],
  ])("is not asked after HTTP %d with Retry-After: %s, and what it sent is forgotten", async (status, wait) => {
    await ask(TAGGED);
    expect(await ask({ status, headers: { "retry-after": wait } })).toEqual([status, ""]);
    await expect(ask(SAME)).rejects.toMatchObject({ code: "auth-limit" });
    await expect(ask(TAGGED, {}, "/another")).rejects.toMatchObject({ code: "auth-limit" });
    expect(asked).toHaveLength(2);
    memory.waits.set(server.origin, Date.now() - 1);
    expect(await ask(TAGGED)).toEqual([200, "first"]);
    expect(asked.at(-1)).not.toHaveProperty("if-none-match");
  });

  test("is left alone for one day at most", async () => {
    await ask({ status: 429, headers: { "retry-after": "999999999" } });
    const wait = (memory.waits.get(server.origin) ?? 0) - Date.now();
    expect(wait).toBeGreaterThan(86_300_000);
    expect(wait).toBeLessThanOrEqual(86_400_000);
  });

  test.each(["soon", "-1", "0", new Date(0).toUTCString()])("is asked again where it says %j", async (wait) => {
    await ask({ status: 429, headers: { "retry-after": wait } });
    expect(await ask(TAGGED)).toEqual([200, "first"]);
  });

  test("is asked by POST, which no memory answers", async () => {
    await ask({ status: 429, headers: { "retry-after": "60" } });
    answer = {};
    expect((await http.fetch(`${server.origin}/token`, { method: "POST", body: "x" })).status).toBe(200);
  });
});
