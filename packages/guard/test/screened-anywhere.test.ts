import type { JsonObject, JsonValue } from "@agentprint/canonical-json/json-value";
import { answersTo, NOTICES_OF_SERVER, OF_CLIENT } from "@agentprint/testing/messages/sample-messages";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { guardOf, initializeResult, listTools, readFile, request, result, sent } from "./support/world.ts";

const MARK = "hostile-mark";
const HIDING: readonly string[] = ["\u001b[2J", "\u202e", "\u200b", "\u{e0041}", "\u200e\u200f\u200e", "\u009b31m"];

/** Returns the paths of all strings in a value, and of its keys. */
function placesIn(value: JsonValue, path: readonly string[] = []): { path: readonly string[]; isName: boolean }[] {
  if (typeof value === "string") return [{ path, isName: false }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    ...(Array.isArray(value) ? [] : [{ path: [...path, name], isName: true }]),
    ...placesIn(member as JsonValue, [...path, name]),
  ]);
}

function marked(value: JsonValue, [name, ...rest]: readonly string[], hostile: string, isName: boolean): JsonValue {
  if (name === undefined) return hostile;
  if (Array.isArray(value)) {
    return value.map((item, index) => (String(index) === name ? marked(item, rest, hostile, isName) : item));
  }
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, member]) => {
      if (key !== name) return [key, member];
      return rest.length === 0 && isName
        ? [hostile, member]
        : [key, marked(member as JsonValue, rest, hostile, isName)];
    }),
  );
}

/** The places in messages in which a server can write any text without making the message malformed. */
const SAID = [...answersTo("r"), ...NOTICES_OF_SERVER].flatMap((message) =>
  placesIn(message as JsonValue)
    .filter(({ path: [top = "", ...rest] }) => top !== "jsonrpc" && (rest.length > 0 || top === "method"))
    .map((place) => ({ message, ...place })),
);

const hostile = fc.record({
  said: fc.constantFrom(...SAID),
  hiding: fc.constantFrom(...HIDING),
  request: fc.constantFrom(...OF_CLIENT),
  preset: fc.constantFrom("strict", "compatible", "breaking"),
  inBatch: fc.boolean(),
  isBytes: fc.boolean(),
});

describe("text of a server that hides something", () => {
  test("reaches no client where it is withheld, whatever carries it, and leaves no request waiting", () => {
    fc.assert(
      fc.property(hostile, ({ said, hiding, request: asked, preset, inBatch, isBytes }) => {
        const policy = { preset, results: { screen: "withhold" } } as never;
        const { guard } = guardOf({ tools: [readFile], prompts: [{ name: "p" }] }, policy);
        const protocolVersion = "2025-03-26";
        guard.fromClient(request(0, "initialize", { protocolVersion, capabilities: { elicitation: {} } }));
        guard.fromServer(result(0, { ...initializeResult({}), protocolVersion }));
        listTools(guard, [readFile]);
        const { toServer } = guard.fromClient(JSON.stringify({ ...asked, id: "r" }));
        const text = JSON.stringify(marked(said.message as JsonValue, said.path, `${MARK}${hiding}`, said.isName));
        const line = inBatch ? `[${text}]` : text;
        const step = guard.fromServer(isBytes ? new TextEncoder().encode(line) : line);
        const received = sent(step, "toClient").flat() as JsonObject[];
        expect(JSON.stringify(received)).not.toContain(MARK);
        const isAsked = toServer.some(({ value }) => (value as JsonObject)["id"] === "r");
        if (!isAsked || said.message["id"] !== "r") return;
        expect(received.filter(({ id }) => id === "r")).toHaveLength(1);
      }),
      { numRuns: runs(100) },
    );
  });

  const withholding = (world: Parameters<typeof guardOf>[0] = { tools: [readFile] }, preset = "breaking") =>
    guardOf(world, { preset, results: { screen: "withhold" } } as never);
  const hidden = "seen\u001b[2J";

  test("is replaced, and everything else of the message stays", () => {
    const { guard, events } = withholding();
    guard.fromClient(request(1, "tools/list"));
    const error = { code: -32603, message: hidden, data: { a: hidden, cursor: "c", n: 1 } };
    const answer = (message: object) =>
      sent(guard.fromServer(JSON.stringify({ jsonrpc: "2.0", ...message })), "toClient")[0];
    const other = expect.not.stringContaining("seen");
    expect(answer({ id: 1, error })).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32603, message: other, data: { a: other, cursor: "c", n: 1 } },
    });
    expect(events.at(-1)).toMatchObject({ outcome: "changed", findings: ["guard/hidden-text"] });
    expect(answer({ id: null, error })).toMatchObject({ id: null, error: { code: -32603, message: other } });
    const progress = { progressToken: "p", progress: 0.5, total: 1, message: hidden };
    expect(answer({ method: "notifications/progress", params: progress })).toEqual({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { ...progress, message: other },
    });
    expect(events.at(-1)).toMatchObject({ outcome: "changed", findings: ["guard/hidden-text"] });
    guard.fromClient(request(2, "initialize", { protocolVersion: "2025-11-25", capabilities: {} }));
    expect(answer({ id: 2, error })).toMatchObject({ error: { code: -32603, message: other } });
    guard.fromClient(request(3, "prompts/list"));
    const listed = { prompts: [{ name: "p", description: hidden }, { name: hidden }], nextCursor: "c" };
    expect(answer({ id: 3, result: listed })).toMatchObject({
      result: { prompts: [{ name: "p", description: other }], nextCursor: "c" },
    });
  });

  test("that the lock has goes on, and so does what its readers see", () => {
    const tool = { ...readFile, description: hidden };
    const { guard } = withholding({ tools: [tool], instructions: hidden }, "strict");
    const list = request(1, "tools/list");
    guard.fromClient(list);
    const same = result(1, { tools: [tool] });
    expect(guard.fromServer(same).toClient[0]?.message).toBe(same);
    guard.fromClient(request(2, "initialize", { protocolVersion: "2025-11-25", capabilities: {} }));
    const greeted = result(2, initializeResult({ instructions: hidden }));
    expect(guard.fromServer(greeted).toClient[0]?.message).toBe(greeted);
    const data = "שלום! \u200fabc\u200e, مرحبا\u200e (1)";
    const log = JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data } });
    expect(guard.fromServer(log).action).toBe("forward");
  });

  test("where nothing can stand in its place, the message does not go on, and a request is refused", () => {
    const { guard } = withholding();
    guard.fromClient(request(1, "prompts/list"));
    const step = guard.fromServer(result(1, { prompts: [], nextCursor: hidden }));
    expect(sent(step, "toClient")).toMatchObject([{ id: 1, error: { code: -31403 } }]);
    const progress = { progressToken: hidden, progress: 1 };
    const notification = JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params: progress });
    expect(guard.fromServer(notification).toClient).toEqual([]);
    // A number that a double changes cannot be serialized again.
    guard.fromClient(request(2, "x/y"));
    const inexact = `{"jsonrpc":"2.0","id":2,"result":{"content":[9007199254740993],"text":"\\u001b"}}`;
    expect(sent(guard.fromServer(inexact), "toClient")).toMatchObject([{ id: 2, error: {} }]);
  });
});

describe("a text that a server sends outside its messages", () => {
  const said = { title: "a\u200bb", list: ["plain", "\u001b[2J"], id: "x" };

  test.each([
    ["withhold", "changed"],
    ["warn", "passed"],
  ] as const)("is screened with %s, and is an event where it hides something", (screen, outcome) => {
    const { guard, events } = guardOf({ tools: [readFile] }, { preset: "strict", results: { screen } } as never);
    const shown = JSON.stringify(guard.shown(said));
    expect(shown.includes("\u200b")).toBe(screen === "warn");
    expect(shown).toContain('"plain"');
    expect(shown).toContain('"id":"x"');
    expect(events.at(-1)).toMatchObject({ kind: "passed", from: "server", outcome, findings: ["guard/hidden-text"] });
    const { length } = events;
    expect(guard.shown("plain")).toBe("plain");
    expect(events).toHaveLength(length);
  });

  test("is shown unchanged if screening is off, and not at all if an identifier hides something", () => {
    const off = guardOf({ tools: [readFile] }, { results: { screen: "off" } } as never);
    expect(off.guard.shown(said)).toBe(said);
    const { guard, events } = guardOf({ tools: [readFile] }, { results: { screen: "withhold" } } as never);
    expect(guard.shown({ ...said, id: "\u200b" })).toBeUndefined();
    expect(events.at(-1)).toMatchObject({ outcome: "refused", decision: "block" });
  });
});
