import { existsSync, readFileSync } from "node:fs";
import type { JsonObject, JsonValue } from "@agentprint/canonical-json/json-value";
import { runs } from "@agentprint/testing/property-runs";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Step } from "../src/index.ts";
import { guardOf, listTools, MODERN, readFile, request, result, sent } from "./support/world.ts";

const KINDS = { sampling: "sampling/createMessage", elicitation: "elicitation/create", roots: "roots/list" } as const;
type Kind = keyof typeof KINDS;
const ALL = Object.keys(KINDS) as Kind[];

const REQUESTS: Readonly<Record<Kind, JsonObject>> = {
  sampling: {
    method: "sampling/createMessage",
    params: { messages: [{ role: "user", content: { type: "text", text: "t" } }], maxTokens: 1 },
  },
  elicitation: {
    method: "elicitation/create",
    params: { mode: "form", message: "m", requestedSchema: { type: "object", properties: {} } },
  },
  roots: { method: "roots/list" },
};

const LIST: JsonObject = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
const TASK: JsonObject = {
  taskId: "t",
  createdAt: "2026-01-01T00:00:00Z",
  lastUpdatedAt: "2026-01-01T00:00:00Z",
  ttlMs: null,
};

/** For each method, the parameters, the answer and the schema type of this answer. */
const ANSWERS: Readonly<Record<string, readonly [params: JsonObject, result: JsonObject, type: string]>> = {
  "tools/call": [
    { name: "read_file", arguments: { path: "a" } },
    { resultType: "complete", content: [] },
    "CallToolResultResponse",
  ],
  "prompts/get": [{ name: "p" }, { resultType: "complete", messages: [] }, "GetPromptResultResponse"],
  "resources/read": [{ uri: "file:///a" }, { ...LIST, contents: [] }, "ReadResourceResultResponse"],
  "tools/list": [{}, { ...LIST, tools: [readFile] }, "ListToolsResultResponse"],
  "prompts/list": [{}, { ...LIST, prompts: [{ name: "p" }] }, "ListPromptsResultResponse"],
  "resources/list": [{}, { ...LIST, resources: [] }, "ListResourcesResultResponse"],
  "resources/templates/list": [{}, { ...LIST, resourceTemplates: [] }, "ListResourceTemplatesResultResponse"],
  "server/discover": [
    {},
    {
      ...LIST,
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "files", version: "1.0.0" } },
    },
    "DiscoverResultResponse",
  ],
  "completion/complete": [{}, { resultType: "complete", completion: { values: [] } }, "CompleteResultResponse"],
  "tasks/get": [{ taskId: "t" }, { resultType: "complete", ...TASK, status: "working" }, "GetTaskResult"],
  "x/unknown": [{}, { resultType: "complete" }, "JSONRPCResultResponse"],
};

const OFFICIAL = new URL("../../../../shared/protocols/mcp-2026-07-28/schema.json", import.meta.url);

/**
 * The schema of `GetTaskResult` and of the parameters of `notifications/tasks`, as in the text of the tasks extension.
 */
const DETAILED_TASK: JsonObject = {
  type: "object",
  required: ["taskId", "status", "createdAt", "lastUpdatedAt", "ttlMs"],
  properties: {
    taskId: { type: "string" },
    createdAt: { type: "string" },
    lastUpdatedAt: { type: "string" },
    ttlMs: { type: ["number", "null"] },
    statusMessage: { type: "string" },
  },
  oneOf: [
    { properties: { status: { enum: ["working", "cancelled"] } } },
    {
      properties: { status: { const: "input_required" }, inputRequests: { $ref: "mcp#/$defs/InputRequests" } },
      required: ["inputRequests"],
    },
    { properties: { status: { const: "completed" }, result: { type: "object" } }, required: ["result"] },
    {
      properties: { status: { const: "failed" }, error: { type: "object", required: ["code", "message"] } },
      required: ["error"],
    },
  ],
};

function validator(): (type: string, message: JsonValue) => boolean {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(JSON.parse(readFileSync(OFFICIAL, "utf8")), "mcp");
  ajv.addSchema({ properties: { result: { ...DETAILED_TASK } }, required: ["result"] }, "GetTaskResult");
  ajv.addSchema({ properties: { params: { ...DETAILED_TASK } }, required: ["params"] }, "TaskNotification");
  return (type, message) => ajv.validate(ajv.getSchema(type) ? type : `mcp#/$defs/${type}`, message);
}

/** Returns the methods of all objects in a value. */
function methodsIn(value: JsonValue): string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = !Array.isArray(value) && typeof value["method"] === "string" ? [value["method"]] : [];
  return [...own, ...Object.values(value).flatMap(methodsIn)];
}

const asked = fc.dictionary(fc.constantFrom("a", "b", "c", "__proto__"), fc.constantFrom(...ALL), {
  minKeys: 1,
  maxKeys: 3,
});
const place = fc.constantFrom("as a task", "in it", "in its result", "in its task", "and it waits");
const setting = fc.record({
  preset: fc.constantFrom("strict", "compatible", "breaking"),
  denied: fc.subarray(ALL, { minLength: 1 }),
  asked,
  place,
  method: fc.constantFrom(...Object.keys(ANSWERS)),
});

function guardThat({ preset, denied }: { readonly preset: string; readonly denied: readonly Kind[] }) {
  const rules = Object.fromEntries(denied.map((kind) => [`guard/${kind}-request`, { guard: "block" as const }]));
  const world = guardOf({ tools: [readFile], prompts: [{ name: "p" }] }, { preset, rules } as never);
  const meta = { ...MODERN, "io.modelcontextprotocol/clientCapabilities": {} };
  return { ...world, meta };
}

/** Passes a client request to the guard, and answers the requests that the guard makes before it continues. */
function ask(guard: ReturnType<typeof guardThat>["guard"], text: string): Step {
  let step = guard.fromClient(text);
  for (let rounds = 0; step.action === "hold" && rounds < 5; rounds++) {
    const [own] = sent(step, "toServer");
    const lists: JsonObject = {
      "tools/list": { ...LIST, tools: [readFile] },
      "prompts/list": { ...LIST, prompts: [{ name: "p" }] },
      "resources/list": { ...LIST, resources: [] },
    };
    step = guard.fromServer(result(own?.["id"] ?? null, lists[String(own?.["method"])] as JsonObject));
    if (step.toServer.length > 0) break;
  }
  return step;
}

function inputRequests(kinds: Readonly<Record<string, Kind>>): JsonObject {
  return Object.fromEntries(Object.entries(kinds).map(([key, kind]) => [key, REQUESTS[kind]]));
}

function answerWith(base: JsonObject, where: string, requests: JsonObject): JsonObject {
  if (where === "as a task") return { ...base, ...TASK, status: "input_required", inputRequests: requests };
  if (where === "in its result")
    return { ...base, result: { resultType: "complete", content: [], inputRequests: requests } };
  if (where === "in its task") return { ...base, task: { ...TASK, status: "input_required", inputRequests: requests } };
  if (where === "and it waits") return { ...base, resultType: "input_required", inputRequests: requests };
  return { ...base, inputRequests: requests };
}

describe("a denied kind of request", () => {
  const isValid = existsSync(OFFICIAL) ? validator() : undefined;

  test("reaches no client in an answer, and the rest is still valid in its version", () => {
    fc.assert(
      fc.property(setting, ({ preset, denied, asked: kinds, place: where, method }) => {
        const { guard, meta } = guardThat({ preset, denied });
        const [params, base, type] = ANSWERS[method] as [JsonObject, JsonObject, string];
        ask(guard, request(7, method, { ...params, _meta: meta }));
        const requests = inputRequests(kinds);
        const said = answerWith(base, where, requests);
        const step = guard.fromServer(result(7, said));
        const answers = sent(step, "toClient");
        expect(answers).toHaveLength(1);
        const [answer = {}] = answers;
        expect(answer["id"]).toBe(7);
        for (const kind of denied) expect(methodsIn(answer)).not.toContain(KINDS[kind]);
        const left = Object.values(kinds).filter((kind) => !denied.includes(kind));
        const isTask =
          where === "as a task" || where === "in its task" || (method === "tasks/get" && where !== "in its result");
        if (left.length === 0) {
          // Nothing in the answer makes the client retry.
          expect(JSON.stringify(answer)).not.toContain("input_required");
          if (isTask && answer["error"] === undefined && JSON.stringify(answer).includes('"taskId"')) {
            expect(JSON.stringify(answer)).toContain('"status":"failed"');
            expect(sent(step, "toServer")).toMatchObject([
              { method: "tasks/cancel", params: { taskId: "t", _meta: {} } },
            ]);
          }
        }
        if (isValid === undefined || !isValid(type, { jsonrpc: "2.0", id: 7, result: said })) return;
        const errors = answer["error"] === undefined ? isValid(type, answer) : isValid("JSONRPCErrorResponse", answer);
        expect(errors, JSON.stringify(answer)).toBe(true);
      }),
      { numRuns: runs(100) },
    );
  });

  test("reaches no client in a notification about a task, which fails and is cancelled once", () => {
    fc.assert(
      fc.property(setting, fc.boolean(), ({ preset, denied, asked: kinds }, inBatch) => {
        const { guard, meta } = guardThat({ preset, denied });
        if (inBatch) {
          guard.fromClient(request(0, "initialize", { protocolVersion: "2025-03-26", capabilities: {} }));
          guard.fromServer(
            result(0, {
              protocolVersion: "2025-03-26",
              capabilities: {},
              serverInfo: { name: "files", version: "1.0.0" },
            }),
          );
        }
        guard.fromClient(request(1, "subscriptions/listen", { notifications: { taskIds: ["t"] }, _meta: meta }));
        const params = { ...TASK, status: "input_required", inputRequests: inputRequests(kinds) };
        const notification = { jsonrpc: "2.0", method: "notifications/tasks", params };
        const step = guard.fromServer(JSON.stringify(inBatch ? [notification] : notification));
        const [notified = {}] = sent(step, "toClient").flat() as JsonObject[];
        for (const kind of denied)
          expect(methodsIn((notified["params"] ?? null) as JsonValue)).not.toContain(KINDS[kind]);
        const isLeft = Object.values(kinds).some((kind) => !denied.includes(kind));
        const { status } = notified["params"] as JsonObject & { readonly status: string };
        expect(status).toBe(isLeft ? "input_required" : "failed");
        expect(isValid?.("TaskNotification", notified) ?? true).toBe(true);
        const again = guard.fromServer(JSON.stringify(inBatch ? [notification] : notification));
        expect([...sent(step, "toServer"), ...sent(again, "toServer")].map(({ method }) => method)).toEqual(
          isLeft ? [] : ["tasks/cancel"],
        );
      }),
      { numRuns: runs(60) },
    );
  });

  test("reaches no client in an error that wants an elicitation", () => {
    const { guard } = guardThat({ preset: "breaking", denied: ["elicitation"] });
    listTools(guard, [readFile]);
    const data = { elicitations: [{ mode: "url", elicitationId: "e", url: "https://a.example", message: "m" }] };
    const error = { code: -32042, message: "URL elicitation required", data };
    guard.fromClient(request(1, "ping"));
    expect(sent(guard.fromServer(JSON.stringify({ jsonrpc: "2.0", id: 1, error })), "toClient")).toMatchObject([
      { id: 1, error: { code: -31403 } },
    ]);
    expect(guard.fromServer(JSON.stringify({ jsonrpc: "2.0", id: null, error })).toClient).toEqual([]);
    const failed = { jsonrpc: "2.0", method: "notifications/tasks", params: { ...TASK, status: "failed", error } };
    expect(JSON.stringify(sent(guard.fromServer(JSON.stringify(failed)), "toClient"))).not.toContain("a.example");
  });

  test.each([
    [[REQUESTS.sampling]],
    [1],
    [null],
    [{ a: 1 }],
    [{ a: { method: { toString: 1 } } }],
    [{ a: { Method: "roots/list" } }],
  ])("reaches no client in a form that cannot be read: %j", (requests) => {
    const { guard, meta } = guardThat({ preset: "breaking", denied: ["sampling"] });
    ask(guard, request(7, "tools/call", { name: "read_file", arguments: { path: "a" }, _meta: meta }));
    const step = guard.fromServer(result(7, { resultType: "input_required", inputRequests: requests as JsonValue }));
    expect(sent(step, "toClient")).toMatchObject([{ id: 7, result: { isError: true } }]);
  });

  test.skipIf(isValid === undefined)(
    "the official schema, where this machine has it, takes the answers without requests",
    () => {
      for (const [, said, type] of Object.values(ANSWERS)) {
        expect(isValid?.(type, { jsonrpc: "2.0", id: 7, result: said }), type).toBe(true);
      }
    },
  );
});
