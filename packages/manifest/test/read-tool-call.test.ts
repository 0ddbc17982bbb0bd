import { manifestOf, toolOf } from "@agentprint/testing/manifest/manifests";
import { describe, expect, test } from "vitest";
import { readToolCall } from "../src/index.ts";
import { callOf, refusal } from "./support/tool-calls.ts";

const MANIFEST = manifestOf({ tools: [toolOf("read_file", { timeout_ms: 500 }), toolOf("send")] });

describe("a client reads a call", () => {
  test("with its tool and the time that the tool has", () => {
    const { call, tool, timeoutMs } = readToolCall(callOf("1", { arguments: { path: "a" } }), MANIFEST);
    expect([call.arguments, tool.name, timeoutMs]).toEqual([{ path: "a" }, "read_file", 500]);
    expect(readToolCall(callOf("1", { tool_name: "send" }), MANIFEST).timeoutMs).toBe(10_000);
  });

  test.each<[string, unknown, string]>([
    ["text", "call", "INVALID_TOOL_CALL "],
    ["a response", { call_id: "1", status: "ok" }, "INVALID_TOOL_CALL /subtype"],
    ["no arguments", { ...callOf("1"), arguments: undefined }, "INVALID_TOOL_CALL /arguments"],
    ["another tool", callOf("1", { tool_name: "rm" }), "UNKNOWN_TOOL /tool_name"],
    ["an undeclared argument", callOf("1", { arguments: { mode: "w" } }), "INVALID_ARGUMENTS /arguments/mode"],
    ["an argument of another type", callOf("1", { arguments: { path: 1 } }), "INVALID_ARGUMENTS /arguments/path"],
    ["large arguments", callOf("1", { arguments: { path: "a".repeat(70_000) } }), "INVALID_ARGUMENTS /arguments"],
  ])("and refuses %s", (_name, call, refused) => {
    expect(refusal(() => readToolCall(call, MANIFEST))).toBe(refused);
  });

  test("and refuses a limit that is no whole number", () => {
    expect(refusal(() => readToolCall(callOf("1"), MANIFEST, { maxArgumentBytes: 0.5 }))).toBe(
      "INVALID_OPTION /maxArgumentBytes",
    );
  });
});
