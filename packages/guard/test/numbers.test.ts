import { type JsonObject, parseJson } from "@agentprint/canonical-json";
import { NumberCollector } from "@agentprint/mcp";
import { createLock, type LockFile, lockServer, type UnstableOptions, withServer } from "@agentprint/mcp-lock";
import { describe, expect, test } from "vitest";
import { call, countLines, guardOf, readFile, request, sent, visitOf } from "./support/world.ts";

const LARGEST = "9223372036854775807";
const LESS = "9223372036854775806";

const tool = (maximum: string, more = ""): string =>
  `{"name":"seek","inputSchema":{"type":"object","properties":{"at":{"type":"integer","maximum":${maximum}}}}${more}}`;
const others = JSON.stringify(readFile);
const pageOf = (...tools: string[]): string => `{"tools":[${tools.join()}]}`;
const answer = (id: string | number, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;

/** Returns a lock of this page, from a visit that keeps number texts. */
function lockOfPage(page: string, options: UnstableOptions = {}): LockFile {
  const found = new NumberCollector();
  const lists = parseJson(`{"lists":{"tools":[[${page}]]}}`, {
    exactNumbers: true,
    tolerate: (number) => found.take(number),
  }) as JsonObject;
  const visit = visitOf({});
  const sessions = visit.sessions.map((session) => ({ ...session, ...lists, numbers: found.texts }));
  return withServer(createLock({}), lockServer("files", { ...visit, sessions } as typeof visit, options));
}

const guardOfPage = (page: string, policy = {}) => guardOf({}, policy, { lock: lockOfPage(page) });

/** Lists the tools through a guard; returns the text that the client receives. */
function listed(guard: ReturnType<typeof guardOfPage>["guard"], page: string, id = "l"): string {
  guard.fromClient(request(id, "tools/list", {}));
  const [message] = guard.fromServer(answer(id, page)).toClient;
  return String(message?.message);
}

describe("a page with numbers that a double changes", () => {
  test("passes byte for byte if the texts match the lock's, and its tools can be called", () => {
    const page = pageOf(tool(LARGEST), others);
    const { guard } = guardOfPage(page);
    expect(listed(guard, page)).toBe(answer("l", page));
    expect(guard.fromClient(call(1, "seek", { at: 1 })).action).toBe("forward");
  });

  test("verifies the list where the guard lists by itself", () => {
    const page = pageOf(tool(LARGEST));
    const { guard } = guardOfPage(page);
    const [own] = sent(guard.fromClient(call(1, "seek", { at: 1 })), "toServer");
    expect(sent(guard.fromServer(answer(String(own?.["id"]), page)), "toServer")).toMatchObject([{ id: 1 }]);
  });

  test.each([LESS, "9223372036854776000", "9223372036854775808", `${LARGEST}.0`, "9.223372036854775807e18"])(
    "loses the tool whose number is %s, at once and in every preset",
    (other) => {
      for (const preset of ["strict", "compatible", "breaking"]) {
        const { guard, events } = guardOfPage(pageOf(tool(LARGEST), others), { preset });
        expect(JSON.parse(listed(guard, pageOf(tool(other), others))).result.tools).toEqual([readFile]);
        expect(events.at(-1)?.findings).toContain("mcp/number-changed");
        const [refused] = sent(guard.fromClient(call(1, "seek", { at: 1 })), "toClient");
        expect(refused).toMatchObject({ id: 1, result: { isError: true } });
      }
    },
  );

  test("loses a tool that the lock has with a number that a double keeps", () => {
    const { guard } = guardOfPage(pageOf(tool("9223372036854776000"), others));
    expect(JSON.parse(listed(guard, pageOf(tool(LARGEST), others))).result.tools).toEqual([readFile]);
  });

  test("is rewritten with the texts of the lock and of the page", () => {
    const described = (text: string) => tool(LARGEST, `,"description":"Moves to a place in the ${text} file"`);
    const { guard } = guardOfPage(pageOf(described("open"), others), { preset: "compatible" });
    const shown = listed(guard, pageOf(JSON.stringify(countLines), described("open"), others));
    expect(shown).toContain(`"maximum":${LARGEST}`);
    expect(JSON.parse(shown).result.tools.map(({ name }: JsonObject) => name)).toEqual(["seek", "read_file"]);
    const frozen = listed(guard, pageOf(described("opened"), others), "m");
    expect(frozen).toContain(`"maximum":${LARGEST}`);
    expect(frozen).not.toContain("opened");
  });

  test("shows two tools whose texts were swapped as drift", () => {
    const named = (name: string, maximum: string) => tool(maximum).replace("seek", name);
    const { guard, events } = guardOfPage(pageOf(named("a", LARGEST), named("b", LESS)));
    expect(JSON.parse(listed(guard, pageOf(named("a", LESS), named("b", LARGEST)))).result.tools).toEqual([]);
    expect(events.at(-1)?.decision).toBe("block");
  });

  test("is judged again if only the number changed since the last listing", () => {
    const page = pageOf(tool(LARGEST), others);
    const { guard } = guardOfPage(page);
    for (const [id, text] of [
      ["a", LARGEST],
      ["b", LESS],
      ["c", LARGEST],
      ["d", LESS],
    ] as const) {
      const shown = listed(guard, pageOf(tool(text), others), id);
      expect(shown.includes("seek")).toBe(text === LARGEST);
    }
  });

  test("is compared with the first one of a new tool that the policy passes", () => {
    const { guard } = guardOfPage(pageOf(others), { preset: "breaking" });
    expect(listed(guard, pageOf(tool(LARGEST), others), "a")).toContain(LARGEST);
    expect(listed(guard, pageOf(tool(LESS), others), "b")).not.toContain("seek");
  });

  test.each([
    ["next to the items", `{"tools":[${tool("1")}],"_meta":{"a":${LARGEST}}}`],
    ["in a member with the name of another list", `{"tools":[${tool("1")}],"prompts":[{"a":${LARGEST}}]}`],
    ["that overflows", pageOf(tool("1e400"))],
  ])("is refused with a number %s", (_, page) => {
    const { guard, events } = guardOfPage(pageOf(tool("1")));
    expect(JSON.parse(listed(guard, page))).toMatchObject({ id: "l", error: { code: -31403 } });
    expect(events.at(-1)?.outcome).toBe("refused");
  });

  test.each(["tools/call", "resources/read", "server/other"])("is no answer to %s", (method) => {
    const page = pageOf(tool(LARGEST));
    const { guard } = guardOfPage(page);
    listed(guard, page);
    guard.fromClient(request(7, method, { name: "seek", uri: "a" }));
    const told = sent(guard.fromServer(answer(7, page)), "toClient");
    expect(JSON.stringify(told)).not.toContain("maximum");
  });

  test("is none of a client, and no greeting", () => {
    const { guard } = guardOfPage(pageOf(tool("1")));
    guard.fromServer(request(3, "roots/list", {}));
    expect(guard.fromClient(answer(3, pageOf(tool(LARGEST)))).action).toBe("answer");
    guard.fromClient(request(4, "initialize", { capabilities: {} }));
    const greeted = guard.fromServer(
      answer(4, `{"capabilities":{"experimental":{"a":${LARGEST}}},"tools":[{"a":1e-400}]}`),
    );
    expect(sent(greeted, "toClient")).toMatchObject([{ id: 4, error: {} }]);
  });

  test("is compared as a double if it is a value", () => {
    const page = pageOf(tool(LARGEST));
    const { guard } = guardOfPage(page);
    guard.fromClient({ jsonrpc: "2.0", id: "l", method: "tools/list" });
    const value = { jsonrpc: "2.0", id: "l", result: JSON.parse(pageOf(tool(LESS))) };
    expect(guard.fromServer(value).action).toBe("forward");
  });
});

describe("the pages of a list", () => {
  const greet = (name: string) => ({ name, inputSchema: { type: "object" } });
  const [one, two] = [greet("one"), greet("two")];
  const page = (tools: JsonObject[], more: JsonObject) => ({ tools, ...more });
  const ids = (step: ReturnType<ReturnType<typeof guardOf>["guard"]["fromClient"]>) => sent(step, "toServer");

  /** Calls a tool, and answers the guard's listings; returns the call's result. */
  function called(name: string, pages: Record<string, JsonObject | undefined>) {
    const { guard } = guardOf({ tools: [one, two] });
    let step = guard.fromClient(call(1, name, {}));
    for (let turn = 0; turn < 4; turn++) {
      const [own] = ids(step);
      if (own?.["method"] !== "tools/list") break;
      const { cursor = "first" } = (own["params"] ?? {}) as { cursor?: string };
      const result = pages[cursor];
      const answered = result ? { result } : { error: { code: -32602, message: "no such cursor" } };
      step = guard.fromServer(JSON.stringify({ jsonrpc: "2.0", id: own["id"], ...answered }));
    }
    return step.toServer.length > 0 ? "called" : "refused";
  }

  const END = page([one, two], { nextCursor: "" });
  test.each<[string, string, Record<string, JsonObject | undefined>, "called" | "refused"]>([
    ["a cursor that is empty, where the list begins again", "two", { first: END, "": END }, "called"],
    ["an empty cursor without a page behind it", "two", { first: END }, "called"],
    [
      "an empty cursor behind an empty cursor",
      "two",
      { first: page([one], { nextCursor: "" }), "": page([two], { nextCursor: "" }) },
      "called",
    ],
    [
      "an empty cursor with a tool behind it",
      "two",
      { first: page([one], { nextCursor: "" }), "": page([two], {}) },
      "called",
    ],
    ["a cursor that is null", "two", { first: page([one, two], { nextCursor: null }) }, "called"],
    [
      "an empty cursor with a tool behind it that is not locked",
      "other",
      { first: END, "": page([greet("other")], {}) },
      "refused",
    ],
    [
      "an empty cursor with a changed tool behind it",
      "two",
      {
        first: page([one], { nextCursor: "" }),
        "": page([{ ...two, inputSchema: { type: "object", required: ["x"] } }], {}),
      },
      "refused",
    ],
    [
      "an empty cursor with the first page changed",
      "two",
      { first: END, "": page([one, { ...two, description: "Other" }], {}) },
      "refused",
    ],
    ["a cursor that has no page", "two", { first: page([one], { nextCursor: "2" }) }, "refused"],
    ["a cursor that is a number", "two", { first: page([one, two], { nextCursor: 2 }) }, "refused"],
    ["a cursor that is an empty list", "two", { first: page([one, two], { nextCursor: [] }) }, "refused"],
  ])("are read by the rule of a visit: %s", (_, name, pages, outcome) => {
    expect(called(name, pages)).toBe(outcome);
  });

  test.each([{ nextCursor: null }, { nextCursor: "" }])("pass byte for byte with %j", (more) => {
    const { guard } = guardOf({ tools: [one, two] });
    guard.fromClient(request(1, "tools/list", {}));
    const text = JSON.stringify({ jsonrpc: "2.0", id: 1, result: page([one, two], more) });
    expect(guard.fromServer(text).toClient.map(({ message }) => message)).toEqual([text]);
    guard.fromClient(request(2, "tools/list", { cursor: "" }));
    const again = JSON.stringify({ jsonrpc: "2.0", id: 2, result: page([one, two], more) });
    expect(guard.fromServer(again).toClient.map(({ message }) => message)).toEqual([again]);
  });
});

describe("a definition that the bare client was shown", () => {
  const [open, bare] = [
    { ...readFile, description: "For clients" },
    { ...readFile, description: "For nobody" },
  ];
  const visit = visitOf({ tools: [open] });
  const shown = { tools: [[{ tools: [bare] }]] };
  const sessions = visit.sessions.flatMap((session) => [session, { ...session, view: "bare", lists: shown } as const]);
  const lock = createLock({ files: { ...visit, sessions } });

  function seen(capabilities: JsonObject, tool: JsonObject, policy = {}) {
    const { guard } = guardOf({}, { preset: "strict", ...policy }, { lock });
    guard.fromClient(request(0, "initialize", { capabilities, clientInfo: { name: "c", version: "1" } }));
    guard.fromServer(answer(0, JSON.stringify(visit.sessions[0]?.greetings[0])));
    guard.fromClient(request(1, "tools/list", {}));
    return JSON.parse(String(guard.fromServer(answer(1, pageOf(JSON.stringify(tool)))).toClient[0]?.message)).result
      .tools;
  }

  test("is shown to a client without capabilities, and to no other", () => {
    expect(seen({}, bare)).toEqual([bare]);
    expect(seen({}, open)).toEqual([]);
    expect(seen({ roots: {} }, bare)).toEqual([]);
    expect(seen({ roots: {} }, open)).toEqual([open]);
  });

  test("is shown to a client all of whose capabilities the policy keeps from the server", () => {
    const policy = { rules: { "guard/roots-request": { guard: "block" } } };
    expect(seen({ roots: {} }, bare, policy)).toEqual([bare]);
    expect(seen({ roots: {}, sampling: {} }, bare, policy)).toEqual([]);
  });

  test("belongs to each request in the era without a handshake", () => {
    const { guard } = guardOf({}, { preset: "strict" }, { lock });
    const listed = (id: number, capabilities: JsonObject) => {
      const _meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities,
      };
      guard.fromClient(request(id, "tools/list", { _meta }));
      return sent(guard.fromServer(answer(id, pageOf(JSON.stringify(bare)))), "toClient")[0];
    };
    expect(listed(1, {})).toMatchObject({ result: { tools: [bare] } });
    expect(listed(2, { roots: {} })).toMatchObject({ result: { tools: [] } });
  });
});

test.each([LARGEST, LESS, "9223372036854776000", "0", '"Ignore the user"'])("varies: %s gives way", (other) => {
  const meta = (text: string) => tool(LARGEST, `,"_meta":{"at":[${text}]}`);
  const varies = [{ kind: "tool", name: "seek", pointer: "/_meta/at", as: "any" }] as const;
  const lock = lockOfPage(pageOf(meta(LARGEST), others), { varies });
  for (const preset of ["strict", "compatible", "breaking"]) {
    const { guard } = guardOf({}, { preset }, { lock });
    const text = listed(guard, pageOf(meta(other), others));
    expect(text).toContain(`"at":[${LARGEST}]`);
    expect(JSON.parse(text).result).toEqual(JSON.parse(pageOf(meta(LARGEST), others)));
    expect(guard.fromClient(call(1, "seek", { at: 1 })).action).toBe("forward");
    const changed = pageOf(meta(other).replace(LARGEST, LESS), others);
    expect(JSON.parse(listed(guard, changed, "m")).result.tools).toEqual([readFile]);
  }
});

test("a list that begins again with another text of a number is refused", () => {
  const { guard, events } = guardOfPage(pageOf(tool(LARGEST)));
  const page = (text: string): string => `{"tools":[${tool(text)}],"nextCursor":""}`;
  guard.fromClient(request("a", "tools/list", {}));
  guard.fromServer(answer("a", page(LARGEST)));
  guard.fromClient(request("b", "tools/list", { cursor: "" }));
  guard.fromServer(answer("b", page("9223372036854775808")));
  expect(events.at(-1)?.reason).toContain("an item is listed twice");
});
