import type { JsonObject } from "@agentprint/canonical-json";
import { answersOf } from "@agentprint/testing/lock/offer";
import { errorOf } from "@agentprint/testing/lock/visit-answers";
import { describe, expect, test } from "vitest";
import { createLock } from "../src/index.ts";

describe("refused answers", () => {
  test.each<[string, Parameters<typeof answersOf>, string, string]>([
    [
      "two tools of one name",
      [[{ name: "a" }, { name: "b" }, { name: "a", description: "Another one." }]],
      "duplicate-name",
      "/sessions/0/lists/tools/0/0/tools/2/name",
    ],
    [
      "two resources of one URI",
      [[], { resources: [{ uri: "u" }, { uri: "u" }] }],
      "duplicate-name",
      "/sessions/0/lists/resources/0/0/resources/1/uri",
    ],
    [
      "two prompts of one name, also equal ones",
      [[], { prompts: [{ name: "p" }, { name: "p" }] }],
      "duplicate-name",
      "/sessions/0/lists/prompts/0/0/prompts/1/name",
    ],
    ["a tool without a name", [[{ description: "d" }]], "invalid-definition", "/sessions/0/lists/tools/0/0/tools/0"],
    [
      "a tool that is none",
      [[null as unknown as JsonObject]],
      "invalid-definition",
      "/sessions/0/lists/tools/0/0/tools/0",
    ],
    [
      "a template without a URI",
      [[], { resourceTemplates: [{ name: "n" }] }],
      "invalid-definition",
      "/sessions/0/lists/resourceTemplates/0/0/resourceTemplates/0",
    ],
    [
      "a lone surrogate in a tool",
      [[{ name: "a", description: "\ud800" }]],
      "invalid-definition",
      "/sessions/0/lists/tools/0/0/tools/0/description",
    ],
    [
      "a lone surrogate in the instructions",
      [[], { instructions: "\udfff" }],
      "invalid-definition",
      "/sessions/0/greetings/0/instructions",
    ],
    [
      "a lone surrogate in the server info",
      [[], { serverInfo: { name: "\udfff" } }],
      "invalid-definition",
      "/sessions/0/serverInfo/name",
    ],
  ])("%s", (_name, args, code, path) => {
    expect(errorOf(() => createLock({ s: answersOf(...args) }))).toMatchObject({ name: "McpLockError", code, path });
  });

  test("a name that is listed twice stands in the message, escaped", () => {
    const tools = [{ name: "a\u001b[2J" }, { name: "a\u001b[2J", title: "Another one." }];
    expect(errorOf(() => createLock({ s: answersOf(tools) })).message).toContain(
      'Expected each tool once; "a\\u001b[2J" is listed twice',
    );
  });
});
