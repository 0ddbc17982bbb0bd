import type { JsonObject, JsonValue } from "@agentprint/canonical-json";
import type { ContentAnswers } from "@agentprint/mcp";
import { formatLock, lockServer, parseLock } from "@agentprint/mcp-lock";
import { errorOf, everywhere, page, session, TOOL, visit } from "@agentprint/testing/lock/visit-answers";
import { describe, expect, test } from "vitest";
import { lockOf } from "../src/lock/create-lock.ts";

function nested(levels: number): JsonValue {
  let value: JsonValue = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

const BAD: readonly (readonly [what: string, value: JsonValue])[] = [
  ["a million levels", nested(1_000_000)],
  ["1001 levels", nested(1001)],
  ["a lone surrogate", "\ud800"],
];

describe.each(BAD)("%s in what a server says once ends in an error that says where", (_what, bad) => {
  const failure = (said: Parameters<typeof everywhere>[0]) => {
    const { code, path } = errorOf(() => lockServer("s", everywhere(said)));
    return `${code} ${path.slice(0, 60)}`;
  };

  test("greeting", () => {
    expect(failure({ greeting: { extra: bad } })).toMatch(/^invalid-definition \/sessions\/0\/greetings\/0\/extra/);
    expect(failure({ greeting: { capabilities: { x: bad } } })).toMatch(
      /^invalid-definition \/sessions\/0\/greetings\/0\/capabilities\/x/,
    );
  });

  test("server info", () => {
    expect(failure({ greeting: { serverInfo: { name: bad } } })).toMatch(
      /^invalid-definition \/sessions\/0\/serverInfo/,
    );
    const _meta: JsonObject = { "io.modelcontextprotocol/serverInfo": bad };
    expect(failure({ lists: { tools: [[page("tools", [TOOL], { _meta })]] } })).toMatch(
      /^invalid-definition \/sessions\/0\/serverInfo/,
    );
  });

  test("supported versions", () => {
    const answers = visit(session("modern/client", { greeting: { supportedVersions: [bad] } }));
    const { code, path } = errorOf(() => lockServer("s", answers));
    expect(`${code} ${path.slice(0, 60)}`).toMatch(/^invalid-definition \/sessions\/0\/supportedVersions\/0/);
  });

  test("contents and the members of pages", () => {
    const contents: ContentAnswers[] = [{ kind: "ui", name: "ui://a", results: [{ contents: [{ text: bad }] }] }];
    expect(failure({ contents })).toMatch(
      /^invalid-definition \/sessions\/0\/contents\/0\/results\/0\/contents\/0\/text/,
    );
    expect(failure({ lists: { tools: [[page("tools", [TOOL]), page("tools", [], { x: bad })]] } })).toMatch(
      /^invalid-definition \/sessions\/0\/lists\/tools\/0\/1\/x/,
    );
  });
});

test("instructions with a lone surrogate, and greetings of another form", () => {
  const failure = (greeting: JsonObject) => {
    const answers = visit(session("legacy/client"), session("modern/client", { greeting }));
    const { code, path } = errorOf(() => lockServer("s", answers));
    return `${code} ${path}`;
  };
  expect(failure({ instructions: "\udfff" })).toBe("invalid-definition /sessions/1/greetings/0/instructions");
  expect(failure({ instructions: 1 })).toBe("invalid-definition /sessions/1/greetings/0/instructions");
  expect(failure({ capabilities: [] })).toBe("invalid-definition /sessions/1/greetings/0/capabilities");
});

test("parts of an entry may be in another order, as its lists may", () => {
  const server = lockServer("s", everywhere({ greeting: { instructions: "Use it.", more: 1 } }));
  const shuffled = { ...server, parts: [...server.parts].reverse() };
  expect(parseLock(JSON.stringify({ lockVersion: 2, servers: [shuffled] }))).toEqual(lockOf([server]));
  expect(formatLock(parseLock(formatLock(lockOf([shuffled]))))).toBe(formatLock(lockOf([server])));
});
