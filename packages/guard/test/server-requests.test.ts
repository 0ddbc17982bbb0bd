import type { JsonObject } from "@agentprint/canonical-json";
import { describe, expect, test } from "vitest";
import {
  call,
  countLines,
  FILES,
  guardOf,
  listTools,
  MODERN,
  readFile,
  request,
  result,
  sent,
  verified,
} from "./support/world.ts";

describe("requests of the server that the policy denies", () => {
  const DENY = Object.fromEntries(
    ["sampling", "elicitation", "roots"].map((kind) => [`guard/${kind}-request`, { guard: "block" as const }]),
  );
  const CAPABILITIES = { sampling: {}, elicitation: {}, roots: {}, experimental: {} };

  test("are not offered to it, and answered as an unknown method", () => {
    const { guard, events } = guardOf(FILES, { rules: DENY });
    const step = guard.fromClient(
      request(1, "initialize", { protocolVersion: "2025-11-25", capabilities: CAPABILITIES }),
    );
    expect(step.action).toBe("replace");
    expect(sent(step, "toServer")).toMatchObject([
      { id: 1, params: { capabilities: { experimental: {} }, protocolVersion: "2025-11-25" } },
    ]);
    expect(JSON.stringify(sent(step, "toServer"))).not.toContain("sampling");
    for (const method of ["sampling/createMessage", "elicitation/create", "roots/list"]) {
      const refused = guard.fromServer(request("s", method));
      expect(refused.toClient).toEqual([]);
      expect(sent(refused, "toServer")).toMatchObject([{ id: "s", error: { code: -32601 } }]);
      expect(events.at(-1)).toMatchObject({ kind: "request", outcome: "refused", method });
      expect(guard.fromServer(JSON.stringify({ jsonrpc: "2.0", method }))).toMatchObject({
        toClient: [],
        toServer: [],
      });
    }
    expect(
      guard.fromServer('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"s"}}').toClient,
    ).toEqual([]);
    expect(guard.fromClient('{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}').toServer).toEqual([]);
    expect(guard.fromServer(request("p", "ping")).action).toBe("forward");
  });

  test("are taken out of the metadata of each modern request, and a result that asks is refused", () => {
    const { guard } = guardOf(FILES, { rules: DENY });
    const meta = { ...MODERN, "io.modelcontextprotocol/clientCapabilities": CAPABILITIES };
    const step = guard.fromClient(request(1, "resources/templates/list", { _meta: meta, cursor: "a" }));
    expect(sent(step, "toServer")).toMatchObject([
      { params: { cursor: "a", _meta: { "io.modelcontextprotocol/clientCapabilities": { experimental: {} } } } },
    ]);
    listTools(guard, [readFile, countLines]);
    guard.fromClient(call(3, "read_file", { path: "a" }));
    const asks = {
      resultType: "input_required",
      inputRequests: { x: { method: "sampling/createMessage", params: {} } },
    };
    expect(sent(guard.fromServer(result(3, asks)), "toClient")).toMatchObject([{ id: 3, result: { isError: true } }]);
  });

  test("pass with an event if it does not, except for unreadable ones", () => {
    const { guard, events } = verified({});
    guard.fromClient(call(3, "read_file", { path: "a" }));
    const asks = (request: JsonObject) => ({ resultType: "input_required", inputRequests: { x: request } });
    const message = result(3, { ...asks({ method: "elicitation/create", params: {} }), requestState: "\u0065 state" });
    expect(guard.fromServer(message).toClient[0]?.message).toBe(message);
    expect(events.at(-1)).toMatchObject({ findings: ["guard/elicitation-request"] });
    guard.fromClient(call(4, "read_file", { path: "a" }));
    expect(guard.fromServer(result(4, asks({ Method: "sampling/createMessage" }))).action).toBe("answer");
    const step = guard.fromServer(request(1, "sampling/createMessage"));
    expect(step.action).toBe("forward");
    expect(guard.fromServer(request("1", "roots/list")).toClient).toEqual([]);
    expect(guard.fromServer(request(1, "roots/list"))).toMatchObject({ toClient: [], toServer: [] });
    expect(guard.fromClient(result(1, { role: "assistant" })).action).toBe("forward");
    expect(guard.fromClient(result(1, {})).action).toBe("answer");
  });
});

describe("screening", () => {
  const hidden = { content: [{ type: "text", text: "a\u001b[2Jb" }] };
  const run = (screen: "off" | "warn" | "withhold", value: JsonObject) => {
    const { guard, events } = verified({}, { screen });
    guard.fromClient(call(1, "read_file", { path: "a" }));
    return { step: guard.fromServer(result(1, value)), event: events.at(-1), guard };
  };

  test.each([
    ["off", "forward", []],
    ["warn", "forward", ["guard/hidden-text"]],
    ["withhold", "answer", ["guard/hidden-text"]],
  ] as const)("%s: %s", (screen, action, findings) => {
    for (const value of [hidden, { content: [], structuredContent: { ["a\u{e0041}"]: 1 } }]) {
      const { step, event } = run(screen, value);
      expect([step.action, event?.findings]).toEqual([action, findings]);
    }
  });

  test("follows the policy unless an option overrides it", () => {
    const ofPolicy = { results: { screen: "warn" } } as const;
    const answered = ({ guard, events }: ReturnType<typeof verified>) => {
      guard.fromClient(call(1, "read_file", { path: "a" }));
      guard.fromServer(result(1, hidden));
      return events.at(-1)?.outcome;
    };
    const warned = verified(ofPolicy);
    expect(answered(warned)).toBe("passed");
    expect(warned.events.at(-1)?.findings).toEqual(["guard/hidden-text"]);
    const withheld = verified({ servers: { files: { results: { screen: "withhold" } } }, ...ofPolicy });
    expect(answered(withheld)).toBe("refused");
    expect(answered(verified({ results: { screen: "withhold" } }, { screen: "off" }))).toBe("passed");
  });

  test("finds nothing in texts that readers see", () => {
    const seen = { content: [{ type: "text", text: "line\r\n\tnext 👩‍💻 ☎️ 日本語 naïve" }] };
    expect(run("withhold", seen).step.action).toBe("forward");
  });

  test("withholds notifications and requests of the server, too", () => {
    const { guard } = run("withhold", { content: [] });
    const seen = { progressToken: 1, progress: 1, message: "half" };
    const clean = JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params: seen });
    expect(guard.fromServer(clean).action).toBe("forward");
    const progress = { progressToken: 1, progress: 1, message: "\u202e" };
    const withheld = guard.fromServer(
      JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params: progress }),
    );
    expect(sent(withheld, "toClient")).toMatchObject([{ params: { progressToken: 1, progress: 1 } }]);
    expect(JSON.stringify(sent(withheld, "toClient"))).not.toContain("\u202e");
    const step = guard.fromServer(request("e", "elicitation/create", { message: "\u200b" }));
    expect([step.toClient, sent(step, "toServer")]).toMatchObject([[], [{ id: "e", error: {} }]]);
    const warned = run("warn", { content: [] }).guard;
    expect(warned.fromServer(request("e", "elicitation/create", { message: "\u200b" })).action).toBe("forward");
  });
});
