import { listen, sdkV1, sdkV2 } from "@agentprint/testing/mcp-servers/http-servers";
import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS, openSession } from "../src/index.ts";
import { at, scripted, server, tool } from "./support/targets.ts";

const limits = DEFAULT_LIMITS;
const city = { name: "weather", arguments: { city: "Kiel" } };

describe("an open session", () => {
  test.each(["legacy", "modern"])("calls tools, gets prompts and reads resources over stdio, %s", async (protocol) => {
    const session = await openSession(server("sdk-v2"), { protocol, limits });
    try {
      expect(session).toMatchObject({ era: protocol, greeting: { instructions: "Ask for the weather." } });
      expect(await session.request("tools/call", city)).toMatchObject({ content: [{ type: "text", text: "sunny" }] });
      expect(await session.request("prompts/get", { name: "greet" })).toMatchObject({ messages: [{ role: "user" }] });
      const read = await session.request("resources/read", { uri: "file:///readme.txt" });
      expect(read).toMatchObject({ contents: [{ text: "read me" }] });
      await expect(session.request("tools/none")).rejects.toMatchObject({ details: { rpcCode: -32601 } });
    } finally {
      await session.close();
    }
  });

  test.each(["2025-11-25", "2025-06-18", "2026-07-28"])("speaks version %s over HTTP", async (protocol) => {
    using running = protocol === "2026-07-28" ? await sdkV2("reject") : await sdkV1();
    const session = await openSession(at(running.url), { protocol, limits });
    expect(session.protocolVersion).toBe(protocol);
    expect(await session.request("tools/call", city)).toMatchObject({ content: [{ type: "text", text: "sunny" }] });
    await session.close();
  });

  test("answers requests of the server as its caller says, and passes on notifications", async () => {
    const heard: string[] = [];
    const session = await openSession(
      scripted({
        eras: ["legacy"],
        asks: [{ method: "sampling/createMessage", params: { maxTokens: 1 } }],
        echo: true,
        behind: [
          { method: "initialize", nth: 0, ms: 0, line: { method: "notifications/message", params: { level: "info" } } },
        ],
      }),
      {
        protocol: "legacy",
        limits,
        capabilities: { sampling: {} },
        answer: (method, params) => ({ result: { method, params } }),
        onNotification: (method) => heard.push(method),
      },
    );
    await session.request("tools/list");
    const { answers } = await session.request("tools/list");
    expect(answers).toEqual({ "ask-0": { result: { method: "sampling/createMessage", params: { maxTokens: 1 } } } });
    await expect.poll(() => heard).toEqual(["notifications/message"]);
    await session.close();
  });

  test("fails with the refusal of the server where the server lacks the era", async () => {
    const opening = openSession(scripted({ eras: ["modern"] }), { protocol: "legacy", limits });
    await expect(opening).rejects.toMatchObject({ code: "server-error", details: { rpcCode: -32601 } });
    await expect(openSession(scripted({}), { protocol: "1", limits })).rejects.toMatchObject({
      code: "invalid-target",
    });
  });

  test("sends marked parameters also as headers once it knows the tool", async () => {
    const marked = {
      ...tool("query"),
      inputSchema: {
        type: "object",
        properties: {
          region: { type: "string", "x-mcp-header": "Region" },
          deep: { type: "object", properties: { size: { type: "integer", "x-mcp-header": "Size" } } },
          dry: { type: "boolean", "x-mcp-header": "Dry" },
          other: { type: "string" },
        },
      },
    };
    using running = await listen((_request, response, { body }) => {
      const results: Record<string, object> = {
        "server/discover": { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } },
        "tools/list": { tools: [marked] },
        "tools/call": { content: [] },
      };
      const result = results[body?.method ?? ""];
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id: body?.id, result }));
    });
    const session = await openSession(at(running.url), { protocol: "modern", limits });
    await session.request("tools/list");
    const args = { region: "Zürich", deep: { size: 42 }, dry: false, other: "x" };
    await session.request("tools/call", { name: "query", arguments: args });
    await session.request("tools/call", { name: "query", arguments: { region: null } });
    const calls = running.seen.filter(({ body }) => body?.method === "tools/call").map(({ headers }) => headers);
    expect(calls[0]).toMatchObject({
      "mcp-name": "query",
      "mcp-param-region": `=?base64?${Buffer.from("Zürich").toString("base64")}?=`,
      "mcp-param-size": "42",
      "mcp-param-dry": "false",
    });
    expect(Object.keys(calls[1] ?? {}).filter((name) => name.startsWith("mcp-param-"))).toEqual([]);
    await session.close();
  });
});
