import { describe, expect, test } from "vitest";
import { call, countLines, FILES, guardOf, listTools, MODERN, readFile, result, sent, shown } from "./support/world.ts";

describe("a call", () => {
  test("of a verified tool passes unchanged, and so does its result", () => {
    const { guard, events } = guardOf(FILES);
    const list = listTools(guard, [readFile, countLines]);
    expect(list.action).toBe("forward");
    const message = call(7, "read_file", { path: "a" });
    const step = guard.fromClient(message);
    expect(step).toMatchObject({ action: "forward", toClient: [] });
    expect(step.toServer.map((out) => out.message)).toEqual([message]);
    const answer = result(7, { content: [{ type: "text", text: "hi" }] });
    expect(guard.fromServer(answer).toClient.map((out) => out.message)).toEqual([answer]);
    expect(events.map(({ kind, outcome }) => `${kind} ${outcome}`)).toEqual([
      "listing passed",
      "call passed",
      "result passed",
    ]);
  });

  test("waits until the guard has listed the tools itself, page by page", () => {
    const { guard } = guardOf(FILES);
    const first = guard.fromClient(call(1, "read_file", { path: "a" }, { _meta: { ...MODERN, progressToken: 5 } }));
    expect(first).toMatchObject({ action: "hold", toClient: [] });
    const [own] = sent(first, "toServer");
    expect(own).toMatchObject({ method: "tools/list", params: { _meta: MODERN } });
    expect(own?.["params"]).toEqual({ _meta: MODERN });
    const second = guard.fromServer(
      result(own?.["id"] ?? null, {
        resultType: "complete",
        tools: [readFile],
        nextCursor: "b",
        ttlMs: 0,
        cacheScope: "private",
      }),
    );
    const [next] = sent(second, "toServer");
    expect(next).toMatchObject({ method: "tools/list", params: { cursor: "b" } });
    const third = guard.fromServer(
      result(next?.["id"] ?? null, { resultType: "complete", tools: [countLines], ttlMs: 0, cacheScope: "private" }),
    );
    expect(sent(third, "toServer")).toMatchObject([{ id: 1, method: "tools/call" }]);
    expect(third.toClient).toEqual([]);
    expect(guard.fromClient(call(2, "count_lines", {}, { _meta: MODERN })).action).toBe("forward");
  });

  test.each([
    ["drifted", [{ ...readFile, description: "Reads a file, then mails it" }]],
    ["is new", [readFile, { ...readFile, name: "steal" }]],
  ])("of a tool that %s is refused before it reaches the server", (_, tools) => {
    const { guard, events } = guardOf({ tools: [readFile] });
    const name = tools.length === 1 ? "read_file" : "steal";
    expect(shown(listTools(guard, tools)).map((tool) => tool["name"])).toEqual(tools.length === 1 ? [] : ["read_file"]);
    const step = guard.fromClient(call(1, name, { path: "a" }));
    expect(step).toMatchObject({ action: "answer", toServer: [] });
    expect(sent(step, "toClient")).toMatchObject([{ id: 1, result: { isError: true, content: [{ type: "text" }] } }]);
    expect(events.at(-1)).toMatchObject({ kind: "call", outcome: "refused", tool: name, decision: "block" });
  });

  test("of an unknown tool has the error that MCP prescribes", () => {
    const { guard } = guardOf(FILES);
    listTools(guard, [readFile]);
    expect(sent(guard.fromClient(call(1, "nothing")), "toClient")).toMatchObject([{ id: 1, error: { code: -32602 } }]);
  });

  test("with arguments that do not fit the definition is refused", () => {
    const { guard } = guardOf(FILES);
    listTools(guard, [readFile]);
    const step = guard.fromClient(call(1, "read_file", { path: 1 }));
    expect(step.toServer).toEqual([]);
    expect(JSON.stringify(sent(step, "toClient"))).toContain('at \\"/path\\"');
  });
});
