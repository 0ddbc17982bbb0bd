import { manifestOf, toolOf } from "@agentprint/testing/manifest/manifests";
import { expect, test } from "vitest";
import { createPendingToolCalls } from "../src/index.ts";

test("each argument is judged by its own pattern, not by the first one's", () => {
  const manifest = manifestOf({
    tools: [
      toolOf("publish", {
        input_schema: {
          type: "object",
          properties: { id: { type: "string", pattern: "^[a-z]+$" }, version: { type: "string", pattern: "^[0-9]+$" } },
          required: ["id", "version"],
          additionalProperties: false,
        },
      }),
    ],
  });
  const calls = createPendingToolCalls({ schedule: () => () => {}, manifest });
  const call = (values: { id: string; version: string }) =>
    calls.call({ subtype: "tool_call", call_id: values.version, tool_name: "publish", arguments: values });
  expect(() => call({ id: "a", version: "latest" })).toThrow(
    expect.objectContaining({ code: "INVALID_ARGUMENTS", path: "/arguments/version" }),
  );
  expect(() => call({ id: "A", version: "1" })).toThrow(
    expect.objectContaining({ code: "INVALID_ARGUMENTS", path: "/arguments/id" }),
  );
  expect(call({ id: "a", version: "1" })).toBeInstanceOf(Promise);
});
