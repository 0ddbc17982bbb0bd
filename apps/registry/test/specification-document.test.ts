import { consentFor, createConsentGate, receiveToolCall, scopeLabel, toolDescription } from "@agentprint/manifest";
import { expect, test } from "vitest";
import {
  BASE,
  breaking,
  call,
  client,
  issues,
  make,
  PLACE,
  SCOPES,
  scope,
  tool,
  warnings,
  without,
  withTool,
} from "./support/specification.ts";

// The testable sentences of the manifest specification, one row each, in its order and in this project's words.

const SENTENCES: readonly [string, () => unknown, unknown][] = [
  // The document
  ["a manifest has schema_version", () => issues(without("schema_version")), ["MISSING_FIELD"]],
  ["a manifest has agent_version", () => issues(without("agent_version")), ["MISSING_FIELD"]],
  ["a manifest has tools", () => issues(without("tools")), ["MISSING_FIELD"]],
  ["a manifest has permission_scopes", () => issues(without("permission_scopes")).includes("MISSING_FIELD"), true],
  ["a manifest has capability_flags", () => issues(without("capability_flags")), ["MISSING_FIELD"]],
  ["schema_version is 1.0", () => issues(BASE), []],
  [
    "a parser is chosen by schema_version",
    () => issues({ ...BASE, schema_version: "2.0", tools: 1 }),
    ["UNSUPPORTED_SCHEMA_VERSION"],
  ],
  ["agent_version is a semantic version", () => issues(make({ agent_version: "1" })), ["INVALID_AGENT_VERSION"]],
  ["agent_version decides nothing about a break", () => breaking(BASE, make({ agent_version: "9.0.0" })), []],
  // Tools
  ["a tool has a name in snake_case", () => issues(withTool({ name: "readFile" })), ["INVALID_TOOL_NAME"]],
  ["a name is unique", () => issues(make({ tools: [tool("t"), tool("t")] })), ["DUPLICATE_TOOL_NAME"]],
  ["a tool has a description key", () => issues(withTool({ description_i18n_key: undefined })), ["MISSING_FIELD"]],
  ["users are shown the text of that key", () => toolDescription(tool("t"), { "tools.t": "Reads" }), "Reads"],
  [
    "input_schema is Draft 2020-12",
    () => issues(withTool({ input_schema: { type: "object", additionalProperties: false, required: 1 } })),
    ["INPUT_SCHEMA_INVALID"],
  ],
  [
    "input_schema is of type object",
    () => issues(withTool({ input_schema: { type: "array", additionalProperties: false } })),
    ["INPUT_SCHEMA_NOT_OBJECT"],
  ],
  [
    "input_schema allows no additional properties",
    () => issues(withTool({ input_schema: { type: "object" } })),
    ["INPUT_SCHEMA_NOT_CLOSED"],
  ],
  ["permission_scope names a declared scope", () => issues(withTool({ permission_scope: "b:b" })), ["UNKNOWN_SCOPE"]],
  ["timeout_ms may be absent", () => issues(withTool({})), []],
  [
    "an absent timeout_ms is 10000",
    () => receiveToolCall(call("low"), BASE, client().gate, PLACE).received?.timeoutMs,
    10_000,
  ],
  // Scopes
  [
    "a scope id is unique",
    () => issues(make({ permission_scopes: [...SCOPES, scope("a:low", "low")] })),
    ["DUPLICATE_SCOPE_ID"],
  ],
  [
    "a scope id should be domain:action",
    () => warnings(make({ permission_scopes: [...SCOPES, scope("files", "low")] })),
    ["UNUSUAL_SCOPE_ID"],
  ],
  [
    "a scope has a label key",
    () => issues(make({ permission_scopes: [...SCOPES, { id: "b:b", sensitivity: "low" }] })),
    ["MISSING_FIELD"],
  ],
  [
    "sensitivity is low, medium or high",
    () => issues(make({ permission_scopes: [...SCOPES, scope("b:b", "none" as never)] })),
    ["INVALID_SENSITIVITY"],
  ],
  ["low runs silently", () => client().ask("low"), { decision: "execute" }],
  [
    "low was disclosed when the agent was added",
    () => consentFor(BASE).map(({ id, ask }) => `${id} ${ask}`)[0],
    "a:low never",
  ],
  [
    "low has no time limit for the user",
    () => createConsentGate({ now: () => 0 }).request(BASE, { ...PLACE, call_id: "1", tool_name: "low" }),
    { decision: "prompt", call_id: "1", scope: "a:low", sensitivity: "low" },
  ],
  ["medium asks first", () => client().ask("medium").decision, "prompt"],
  [
    "medium is silent for 24 hours",
    () => {
      const one = client();
      one.allow("medium");
      one.clock.at = 86_399_999;
      return one.ask("medium").decision;
    },
    "execute",
  ],
  [
    "the 24 hours slide with each use",
    () => {
      const one = client();
      one.allow("medium");
      for (const at of [80_000_000, 160_000_000]) {
        one.clock.at = at;
        one.ask("medium");
      }
      return one.ask("medium").decision;
    },
    "execute",
  ],
  [
    "the 24 hours are of one device and session",
    () => {
      const one = client();
      one.allow("medium");
      return [one.ask("medium", { device_id: "e" }).decision, one.ask("medium", { session_id: "t" }).decision];
    },
    ["prompt", "prompt"],
  ],
  [
    "medium has no time limit for the user",
    () => {
      const one = client();
      one.ask("medium");
      one.clock.at = 1e12;
      return [one.gate.expire(), one.say(true)];
    },
    [[], { decision: "execute" }],
  ],
  [
    "high asks for every call",
    () => {
      const one = client();
      one.allow("high");
      return one.ask("high").decision;
    },
    "prompt",
  ],
  [
    "high asks although the scope is accepted",
    () => client().ask("high"),
    { decision: "prompt", call_id: "1", scope: "a:high", sensitivity: "high", expires_at: 30_000 },
  ],
  [
    "high is denied after 30 seconds",
    () => {
      const one = client();
      one.ask("high");
      one.clock.at = 30_000;
      return one.say(true);
    },
    { decision: "denied", reason: "user_timeout" },
  ],
  [
    "notification:send is known",
    () => [
      scopeLabel(scope("notification:send", "low"), "zh"),
      warnings(make({ permission_scopes: [...SCOPES, scope("notification:send", "low")] })),
    ],
    ["发送通知", []],
  ],
  [
    "filesystem:read is medium",
    () => [
      scopeLabel(scope("filesystem:read", "low"), "zh"),
      consentFor(make({ tools: [], permission_scopes: [scope("filesystem:read", "low")] }))[0]?.ask,
    ],
    ["读取本地文件", "first_use"],
  ],
  [
    "clipboard:read is medium",
    () => [
      scopeLabel(scope("clipboard:read", "low"), "zh"),
      consentFor(make({ tools: [], permission_scopes: [scope("clipboard:read", "low")] }))[0]?.ask,
    ],
    ["读取剪贴板", "first_use"],
  ],
  [
    "location:read is high",
    () => [
      scopeLabel(scope("location:read", "low"), "zh"),
      consentFor(make({ tools: [], permission_scopes: [scope("location:read", "low")] }))[0]?.ask,
    ],
    ["读取位置", "every_call"],
  ],
  [
    "another scope shows its key, or its id",
    () => [scopeLabel(scope("b:b", "low"), "en"), scopeLabel({ id: "b:b", label_i18n_key: " " }, "en")],
    ["label.b:b", "b:b"],
  ],
];

test("the table has every sentence once", () => {
  expect(new Set(SENTENCES.map(([sentence]) => sentence)).size).toBe(39);
});

test.each(SENTENCES)("%s", async (_sentence, see, expected) => {
  expect(await see()).toEqual(expected);
});
