import type { JsonObject } from "@agentprint/canonical-json";
import { describe, expect, test } from "vitest";
import { type ChannelFactory, type LoggedLines, MessageReader, visitServer } from "../src/index.ts";
import { MemoryChannel } from "./support/memory-channel.ts";
import { at, options, scripted, tool, toolNames, visitInMemory } from "./support/targets.ts";

const [one, other] = [{ tools: [tool("one")] }, { tools: [tool("other")] }];
const target = scripted({ eras: ["legacy"], results: { "tools/list": [one] } });

/** Returns a channel to an in-memory server, with a different tool than the server that `target` starts. */
const inMemory = (maxBytes: number, written?: (answer: string) => string): MemoryChannel =>
  new MemoryChannel({ eras: ["legacy"], results: { "tools/list": [other] } }, maxBytes, written);

describe("a channel from outside", () => {
  test("is made for each session, opened and closed in place of a process", async () => {
    const [made, channels]: [unknown[][], MemoryChannel[]] = [[], []];
    const channel: ChannelFactory = (...given) => {
      made.push([given[0], given[1], given[2].id, given[3]]);
      channels.push(inMemory(given[3]));
      return channels.at(-1);
    };
    const { sessions } = await visitServer(target, options({ channel, views: ["client", "bare"] }));
    expect(sessions.map(({ era, view }) => `${era} ${view}`)).toEqual(["legacy client", "legacy bare"]);
    expect(sessions.map(toolNames)).toEqual([["other"], ["other"]]);
    const { maxBytes } = options().limits;
    expect(made.map(([, era, id]) => `${era} ${id}`)).toEqual([
      "legacy claude-code",
      "modern claude-code",
      "legacy bare",
      "modern bare",
    ]);
    for (const [given, , , bytes] of made) expect([given, bytes]).toEqual([target, maxBytes]);
    expect(channels.map(({ calls }) => calls.join(" "))).toEqual([
      "open 2025-11-25 close",
      "open close",
      "open 2025-11-25 close",
      "open close",
    ]);
  });

  test("may be one over HTTP, too, and is missing where a target is started or called as usual", async () => {
    const channel: ChannelFactory = ({ type }, _era, _profile, bytes) =>
      type === "http" ? inMemory(bytes) : undefined;
    const visited = await visitServer(at("http://127.0.0.1:1/mcp"), options({ channel }));
    expect(visited.sessions.map(toolNames)).toEqual([["other"]]);
    const started = await visitServer(target, options({ channel }));
    expect(started.sessions.map(toolNames)).toEqual([["one"]]);
  });

  test.each([
    ["a duplicate key", (answer: string) => `${answer.replace("{", '{"jsonrpc":"2.0",')}\n`, "server-garbage"],
    ["half a message", (answer: string) => `${answer.slice(0, 20)}\n${answer.slice(20)}\n`, "server-garbage"],
    ["a mark before a message", (answer: string) => `\ufeff${answer}\n`, "server-garbage"],
    ["too many bytes", (answer: string) => `${answer}${" ".repeat(2000)}\n`, "server-limit"],
    ["too many lines of log", (answer: string) => `${"INFO\n".repeat(400)}${answer}\n`, "server-limit"],
  ])("is read as strictly as a process: %s", async (_name, write, code) => {
    const limits = { ...options().limits, maxBytes: 1000 };
    const channel: ChannelFactory = (_target, _era, _profile, bytes) => inMemory(bytes, write);
    await expect(visitServer(target, options({ channel, limits }))).rejects.toMatchObject({
      code,
      details: { serverOutput: "said in memory" },
    });
  });
});

test.each([
  ["exactly the text of an integer", (answer: string) => answer.replace(/"id":(\d+)/, '"id":"$1"'), undefined],
  ["another text", (answer: string) => answer.replace(/"id":(\d+)/, '"id":"0$1"'), "server-garbage"],
  ["a text with a point", (answer: string) => answer.replace(/"id":(\d+)/, '"id":"$1.0"'), "server-garbage"],
] as const)("an id that is echoed as %s", async (_name, write, code) => {
  const channel: ChannelFactory = (_target, _era, _profile, bytes) => inMemory(bytes, (text) => `${write(text)}\n`);
  const notes: string[] = [];
  const visit = visitServer(target, options({ channel, onNote: (note) => notes.push(note) }));
  if (code === undefined) {
    expect((await visit).sessions.map(toolNames)).toEqual([["other"]]);
    expect(notes).toEqual([expect.stringContaining("echoes a request's integer id as text")]);
  } else await expect(visit).rejects.toMatchObject({ code });
});

describe("log output on stdout", () => {
  const visitWith = async (write: (answer: string) => string): Promise<{ logged: LoggedLines[]; tools: unknown[] }> => {
    const logged: LoggedLines[] = [];
    const channel: ChannelFactory = (_target, _era, _profile, bytes) => inMemory(bytes, write);
    const onLogged = (lines: LoggedLines): void => void logged.push(lines);
    const { sessions } = await visitServer(target, options({ channel, onLogged, views: ["client", "bare"] }));
    return { logged, tools: sessions.map(toolNames) };
  };

  test("are skipped, and reported once for all sessions, with the first one escaped", async () => {
    const { logged, tools } = await visitWith((answer) => `\u001b[32mINFO\n${answer}\n{"level":"info"}\n`);
    expect(tools).toEqual([["other"], ["other"]]);
    expect(logged).toEqual([{ count: expect.any(Number), first: "\\u{1b}[32mINFO" }]);
    expect(logged[0]?.count).toBeGreaterThan(4);
  });

  test("answer no request", async () => {
    const { logged, tools } = await visitWith((answer) => `answer ${answer}\n5\n{"id":1,"result":{}}\n${answer}\n`);
    expect(tools).toEqual([["other"], ["other"]]);
    expect(logged).toHaveLength(1);
  });

  test("are not reported for a server without them", async () => {
    expect((await visitWith((answer) => `${answer}\n`)).logged).toEqual([]);
    await expect(visitInMemory({ results: { "tools/list": [one] } })).resolves.toBeDefined();
  });
});

describe("a reader of messages", () => {
  test("takes lines in any pieces, with carriage returns and empty lines", () => {
    const reader = new MessageReader(1000);
    const ids: unknown[] = [];
    const text = [1, 2].map((id) => `${JSON.stringify({ jsonrpc: "2.0", id, result: {} })}\r\n\n`).join("");
    for (const byte of Buffer.from(text))
      reader.push(Uint8Array.of(byte), (read) => ids.push((read as JsonObject)["id"]));
    expect(ids).toEqual([1, 2]);
  });
});
