import type { JsonObject } from "@agentprint/canonical-json/json-value";

const META: JsonObject = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": { elicitation: {}, sampling: {}, roots: {} },
  progressToken: "p",
};
const INFO: JsonObject = { name: "files", version: "1.0.0" };

/** A message of each kind that a client sends, without ids. */
export const OF_CLIENT: readonly JsonObject[] = [
  ["initialize", { protocolVersion: "2025-11-25", capabilities: { roots: {} }, clientInfo: INFO }],
  ["server/discover", { _meta: META }],
  ["tools/list", { cursor: "c" }],
  ["tools/list", { _meta: META }],
  ["prompts/list", {}],
  ["resources/list", {}],
  ["resources/templates/list", {}],
  ["tools/call", { name: "read_file", arguments: { path: "a" }, _meta: { progressToken: 1 } }],
  ["tools/call", { name: "read_file", arguments: { path: "a" }, requestState: "s", inputResponses: {}, _meta: META }],
  ["tools/call", { name: "read_file", arguments: { path: "a" }, task: { ttl: 1 } }],
  ["prompts/get", { name: "p", arguments: { a: "b" } }],
  ["resources/read", { uri: "file:///a" }],
  ["completion/complete", { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "b" } }],
  ["tasks/get", { taskId: "t" }],
  ["subscriptions/listen", { notifications: { toolsListChanged: true, taskIds: ["t"] }, _meta: META }],
  ["logging/setLevel", { level: "info" }],
  ["x/unknown", { a: [1] }],
].map(([method, params]) => ({ jsonrpc: "2.0", id: 1, method, params }) as JsonObject);

/** Notifications of a client, and its answers to a server. */
export const NOTICES_OF_CLIENT: readonly JsonObject[] = [
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1, reason: "r" } },
  { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 1, progress: 1 } },
  { jsonrpc: "2.0", method: "notifications/roots/list_changed" },
  { jsonrpc: "2.0", id: "s", result: { roots: [{ uri: "file:///" }] } },
  { jsonrpc: "2.0", id: "s", error: { code: -1, message: "no" } },
];

const CONTENT: JsonObject = {
  content: [
    { type: "text", text: "a", annotations: { priority: 1 } },
    { type: "resource", resource: { uri: "a:b", text: "t" } },
  ],
  structuredContent: { lines: 1 },
  isError: false,
  _meta: { a: 1 },
};
const ASKS: JsonObject = {
  resultType: "input_required",
  inputRequests: { x: { method: "elicitation/create", params: { message: "m" } } },
  requestState: "s",
};
const TOOLS: JsonObject = {
  tools: [
    {
      name: "read_file",
      description: "Reads",
      inputSchema: { type: "object", properties: { path: { type: "string", enum: ["a"] } }, required: ["path"] },
      annotations: { readOnlyHint: true },
      icons: [{ src: "data:," }],
    },
  ],
  nextCursor: "c",
  resultType: "complete",
  ttlMs: 1,
};

/** The results of a server. */
const RESULTS: readonly JsonObject[] = [
  {
    protocolVersion: "2025-11-25",
    capabilities: { tools: { listChanged: true } },
    serverInfo: INFO,
    instructions: "i",
  },
  {
    resultType: "complete",
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: {} },
    ttlMs: 0,
    cacheScope: "private",
    _meta: { "io.modelcontextprotocol/serverInfo": INFO },
  },
  TOOLS,
  { prompts: [{ name: "p", arguments: [{ name: "a" }] }] },
  { resources: [{ uri: "file:///a", name: "a" }] },
  { resourceTemplates: [{ uriTemplate: "file:///{a}", name: "a" }] },
  CONTENT,
  ASKS,
  { messages: [{ role: "user", content: { type: "text", text: "t" } }] },
  { contents: [{ uri: "file:///a", text: "t" }] },
  { completion: { values: ["a"], hasMore: false } },
  { resultType: "task", taskId: "t", status: "working", createdAt: "c", lastUpdatedAt: "l", ttlMs: null },
  { task: { taskId: "t", status: "working" } },
  { resultType: "complete", taskId: "t", status: "completed", result: CONTENT },
  { resultType: "complete", taskId: "t", status: "input_required", inputRequests: ASKS["inputRequests"] as JsonObject },
];

/** Returns each kind of answer that a server may give to a request. */
export const answersTo = (id: string | number): readonly JsonObject[] => [
  ...RESULTS.map((result) => ({ jsonrpc: "2.0", id, result })),
  { jsonrpc: "2.0", id, error: { code: -32603, message: "m", data: { a: 1 } } },
  { jsonrpc: "2.0", id, error: { code: -32042, message: "m", data: { elicitations: [{ mode: "url", url: "u" }] } } },
];

/** The unsolicited messages of a server. */
export const NOTICES_OF_SERVER: readonly JsonObject[] = [
  { jsonrpc: "2.0", id: null, error: { code: -32700, message: "m" } },
  { jsonrpc: "2.0", method: "notifications/tools/list_changed" },
  { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 1, progress: 1, message: "m" } },
  { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", logger: "l", data: { a: ["b"] } } },
  { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "s", reason: "r" } },
  { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri: "file:///a" } },
  {
    jsonrpc: "2.0",
    method: "notifications/tasks",
    params: { taskId: "t", status: "input_required", inputRequests: ASKS["inputRequests"] as JsonObject },
  },
  { jsonrpc: "2.0", id: "s", method: "roots/list" },
  { jsonrpc: "2.0", id: "s", method: "ping" },
  {
    jsonrpc: "2.0",
    id: "s",
    method: "elicitation/create",
    params: { message: "m", requestedSchema: { type: "object" } },
  },
  { jsonrpc: "2.0", id: "s", method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } },
];
