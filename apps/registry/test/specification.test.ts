import {
  CAPABILITY_FLAGS,
  type CapabilityManifest,
  canonicalizeManifest,
  capabilityEntries,
  consentFor,
  createArtifactResponse,
  createConsentGate,
  createPendingToolCalls,
  DENIAL_REASONS,
  diffManifests,
  hashManifest,
  type ManifestTool,
  type PermissionScope,
  parseManifest,
  REVIEW_CARD,
  receiveToolCall,
  type Sensitivity,
  scopeLabel,
  toolDescription,
} from "@agentprint/manifest";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRegistry, type TestRegistry } from "./support/registry.ts";

// The sentences of the specification of manifests that can be tested, in its order and in the words of this project: a row for each.

let registry: TestRegistry;
beforeAll(async () => {
  registry = await openRegistry();
});
afterAll(() => registry.close());

const scope = (id: string, sensitivity: Sensitivity): PermissionScope => ({ id, label_i18n_key: `label.${id}`, sensitivity });
const tool = (name: string, fields: Partial<ManifestTool> = {}): ManifestTool => ({
  name,
  description_i18n_key: `tools.${name}`,
  input_schema: { type: "object", properties: { path: { type: "string" } }, additionalProperties: false },
  permission_scope: "a:medium",
  ...fields,
});
const SCOPES = [scope("a:low", "low"), scope("a:medium", "medium"), scope("a:high", "high")];
const make = (fields: Partial<Record<keyof CapabilityManifest, unknown>> = {}): CapabilityManifest =>
  ({
    schema_version: "1.0",
    agent_version: "1.0.0",
    tools: ["low", "medium", "high"].map((level) => tool(level, { permission_scope: `a:${level}` })),
    permission_scopes: SCOPES,
    capability_flags: { supports_streaming: true },
    ...fields,
  }) as CapabilityManifest;
const BASE = make();
const withTool = (fields: Record<string, unknown>): CapabilityManifest => make({ tools: [tool("t", fields as never)] });

const issues = (manifest: unknown): string[] => {
  const parsed = parseManifest(manifest);
  return parsed.ok ? [] : parsed.issues.map(({ code }) => code);
};
const warnings = (manifest: unknown): string[] => {
  const parsed = parseManifest(manifest);
  return parsed.ok ? parsed.warnings.map(({ code }) => code) : ["refused"];
};
const breaking = (before: CapabilityManifest, after: CapabilityManifest): string[] =>
  diffManifests(before, after).breaking.map(({ kind }) => kind);
const harmless = (before: CapabilityManifest, after: CapabilityManifest): string[] => {
  const { breaking, nonBreaking } = diffManifests(before, after);
  return breaking.length > 0 ? ["breaking"] : nonBreaking.map(({ kind }) => kind);
};
const sized = (bytes: number): CapabilityManifest => {
  const length = (key: string) => canonicalizeManifest(make({ tools: [tool("t", { description_i18n_key: key })] })).length;
  return make({ tools: [tool("t", { description_i18n_key: "k".repeat(bytes - length("k") + 1) })] });
};

const PLACE = { device_id: "d", session_id: "s" };
/** A client whose user added the agent, with the clock in its hand. */
function client(manifest = BASE) {
  const clock = { at: 0 };
  const gate = createConsentGate({ now: () => clock.at });
  gate.accept(manifest);
  let calls = 0;
  const ask = (tool_name: string, place: object = {}) => {
    const call_id = String(++calls);
    return gate.request(manifest, { ...PLACE, call_id, tool_name, ...place });
  };
  const allow = (tool_name: string, place: object = {}) => {
    ask(tool_name, place);
    return gate.answer(String(calls), true);
  };
  return { clock, gate, ask, allow, say: (allowed: boolean) => gate.answer(String(calls), allowed) };
}
const call = (tool_name: string, values: object = {}) => ({ subtype: "tool_call", call_id: "1", tool_name, arguments: values });

async function respond(response: object): Promise<unknown> {
  const calls = createPendingToolCalls({ schedule: () => () => {} });
  const outcome = calls.call(call("t") as never);
  calls.receive(response);
  return outcome;
}

let agents = 0;
/** Publishes versions of a new agent, and returns the last answer. */
async function published(...manifests: readonly unknown[]) {
  const id = `spec-${++agents}`;
  let last = await registry.create(id, manifests[0] as CapabilityManifest);
  for (const manifest of manifests.slice(1)) last = await registry.publish(id, manifest);
  return { ...last, id };
}

const without = (member: string): object => Object.fromEntries(Object.entries(BASE).filter(([name]) => name !== member));

const SENTENCES: readonly [string, () => unknown, unknown][] = [
  // The document
  ["a manifest has schema_version", () => issues(without("schema_version")), ["MISSING_FIELD"]],
  ["a manifest has agent_version", () => issues(without("agent_version")), ["MISSING_FIELD"]],
  ["a manifest has tools", () => issues(without("tools")), ["MISSING_FIELD"]],
  ["a manifest has permission_scopes", () => issues(without("permission_scopes")).includes("MISSING_FIELD"), true],
  ["a manifest has capability_flags", () => issues(without("capability_flags")), ["MISSING_FIELD"]],
  ["schema_version is 1.0", () => issues(BASE), []],
  ["a parser is chosen by schema_version", () => issues({ ...BASE, schema_version: "2.0", tools: 1 }), ["UNSUPPORTED_SCHEMA_VERSION"]],
  ["agent_version is a semantic version", () => issues(make({ agent_version: "1" })), ["INVALID_AGENT_VERSION"]],
  ["agent_version decides nothing about a break", () => breaking(BASE, make({ agent_version: "9.0.0" })), []],
  // Tools
  ["a tool has a name in snake_case", () => issues(withTool({ name: "readFile" })), ["INVALID_TOOL_NAME"]],
  ["a name is unique", () => issues(make({ tools: [tool("t"), tool("t")] })), ["DUPLICATE_TOOL_NAME"]],
  ["a tool has a description key", () => issues(withTool({ description_i18n_key: undefined })), ["MISSING_FIELD"]],
  ["users are shown the text of that key", () => toolDescription(tool("t"), { "tools.t": "Reads" }), "Reads"],
  ["input_schema is Draft 2020-12", () => issues(withTool({ input_schema: { type: "object", additionalProperties: false, required: 1 } })), ["INPUT_SCHEMA_INVALID"]],
  ["input_schema is of type object", () => issues(withTool({ input_schema: { type: "array", additionalProperties: false } })), ["INPUT_SCHEMA_NOT_OBJECT"]],
  ["input_schema allows no additional properties", () => issues(withTool({ input_schema: { type: "object" } })), ["INPUT_SCHEMA_NOT_CLOSED"]],
  ["permission_scope names a declared scope", () => issues(withTool({ permission_scope: "b:b" })), ["UNKNOWN_SCOPE"]],
  ["timeout_ms may be absent", () => issues(withTool({})), []],
  ["an absent timeout_ms is 10000", () => receiveToolCall(call("low"), BASE, client().gate, PLACE).received?.timeoutMs, 10_000],
  // Scopes
  ["a scope id is unique", () => issues(make({ permission_scopes: [...SCOPES, scope("a:low", "low")] })), ["DUPLICATE_SCOPE_ID"]],
  ["a scope id should be domain:action", () => warnings(make({ permission_scopes: [...SCOPES, scope("files", "low")] })), ["UNUSUAL_SCOPE_ID"]],
  ["a scope has a label key", () => issues(make({ permission_scopes: [...SCOPES, { id: "b:b", sensitivity: "low" }] })), ["MISSING_FIELD"]],
  ["sensitivity is low, medium or high", () => issues(make({ permission_scopes: [...SCOPES, scope("b:b", "none" as never)] })), ["INVALID_SENSITIVITY"]],
  ["low runs silently", () => client().ask("low"), { decision: "execute" }],
  ["low was disclosed when the agent was added", () => consentFor(BASE).map(({ id, ask }) => `${id} ${ask}`)[0], "a:low never"],
  ["low has no time limit for the user", () => createConsentGate({ now: () => 0 }).request(BASE, { ...PLACE, call_id: "1", tool_name: "low" }), { decision: "prompt", call_id: "1", scope: "a:low", sensitivity: "low" }],
  ["medium asks first", () => client().ask("medium").decision, "prompt"],
  ["medium is silent for 24 hours", () => { const one = client(); one.allow("medium"); one.clock.at = 86_399_999; return one.ask("medium").decision; }, "execute"],
  ["the 24 hours slide with each use", () => { const one = client(); one.allow("medium"); for (const at of [80_000_000, 160_000_000]) { one.clock.at = at; one.ask("medium"); } return one.ask("medium").decision; }, "execute"],
  ["the 24 hours are of one device and session", () => { const one = client(); one.allow("medium"); return [one.ask("medium", { device_id: "e" }).decision, one.ask("medium", { session_id: "t" }).decision]; }, ["prompt", "prompt"]],
  ["medium has no time limit for the user", () => { const one = client(); one.ask("medium"); one.clock.at = 1e12; return [one.gate.expire(), one.say(true)]; }, [[], { decision: "execute" }]],
  ["high asks for every call", () => { const one = client(); one.allow("high"); return one.ask("high").decision; }, "prompt"],
  ["high asks although the scope is accepted", () => client().ask("high"), { decision: "prompt", call_id: "1", scope: "a:high", sensitivity: "high", expires_at: 30_000 }],
  ["high is denied after 30 seconds", () => { const one = client(); one.ask("high"); one.clock.at = 30_000; return one.say(true); }, { decision: "denied", reason: "user_timeout" }],
  ["notification:send is known", () => [scopeLabel(scope("notification:send", "low"), "zh"), warnings(make({ permission_scopes: [...SCOPES, scope("notification:send", "low")] }))], ["发送通知", []]],
  ["filesystem:read is medium", () => [scopeLabel(scope("filesystem:read", "low"), "zh"), consentFor(make({ tools: [], permission_scopes: [scope("filesystem:read", "low")] }))[0]?.ask], ["读取本地文件", "first_use"]],
  ["clipboard:read is medium", () => [scopeLabel(scope("clipboard:read", "low"), "zh"), consentFor(make({ tools: [], permission_scopes: [scope("clipboard:read", "low")] }))[0]?.ask], ["读取剪贴板", "first_use"]],
  ["location:read is high", () => [scopeLabel(scope("location:read", "low"), "zh"), consentFor(make({ tools: [], permission_scopes: [scope("location:read", "low")] }))[0]?.ask], ["读取位置", "every_call"]],
  ["another scope shows its key, or its id", () => [scopeLabel(scope("b:b", "low"), "en"), scopeLabel({ id: "b:b", label_i18n_key: " " }, "en")], ["label.b:b", "b:b"]],
  // Flags, size
  ["there are four flags", () => [CAPABILITY_FLAGS.length, issues(make({ capability_flags: { supports_video: true } }))], [4, ["UNKNOWN_FIELD"]]],
  ["voice is not there in version 1", () => warnings(make({ capability_flags: { supports_voice: true } })), ["UNAVAILABLE_CAPABILITY"]],
  ["flags say which entries a client shows", () => capabilityEntries(make({ capability_flags: { supports_artifacts: true } }), "zh").map(({ label }) => label), ["Artifact 编辑面板"]],
  ["128 KB are accepted, and one byte more is 413", async () => [issues(sized(131_072)), (await published(sized(131_073))).status], [[], 413]],
  ["64 KB are warned of", async () => { const { id } = await published(sized(65_536)); return (await registry.get(`/agents/${id}`)).body.warnings[0].code; }, "MANIFEST_LARGE"],
  // REST, versions
  ["a manifest is sent by PATCH with a key", async () => (await registry.publish((await published(BASE)).id, BASE, { token: null })).status, 401],
  ["the answer has four members", async () => Object.keys((await published(BASE, BASE)).body), ["agent_id", "capability_manifest_version", "capability_manifest_hash", "breaking_changes"]],
  ["the hash is of the canonical JSON", async () => (await published(BASE)).body.capability_manifest_hash, hashManifest(BASE)],
  ["the version rises by one, and never by more", async () => (await published(BASE, { bad: 1 }, BASE, BASE)).body.capability_manifest_version, 3],
  // The diff
  ["a removed tool breaks", () => breaking(BASE, make({ tools: BASE.tools.slice(1) })), ["tool_removed"]],
  ["a changed input_schema breaks", () => breaking(withTool({}), withTool({ input_schema: { type: "object", additionalProperties: false } })), ["input_schema_changed"]],
  ["a more sensitive scope of a tool breaks", () => breaking(withTool({}), withTool({ permission_scope: "a:high" })), ["permission_scope_escalated"]],
  ["a removed scope breaks", () => breaking(make({ tools: [] }), make({ tools: [], permission_scopes: SCOPES.slice(1) })), ["permission_scope_removed"]],
  ["a flag that is taken back breaks", () => breaking(BASE, make({ capability_flags: {} })), ["capability_flag_revoked"]],
  ["a break is a card for every user", async () => { const { id } = await published(BASE, make({ tools: [] })); return [(await registry.get(`/agents/${id}/consent?accepted=1`)).body.review, REVIEW_CARD.zh]; }, [true, "Agent 能力变更,请重新审阅权限"]],
  ["what is new breaks nothing, and a new scope is not granted", () => [harmless(BASE, make({ tools: [...BASE.tools, tool("more", { permission_scope: "b:b" })], permission_scopes: [...SCOPES, scope("b:b", "low")], capability_flags: { supports_streaming: true, supports_artifacts: true } })).sort(), consentFor(make({ tools: [], permission_scopes: [scope("b:b", "low")] }), { manifest: BASE })[0]?.ask], [["capability_flag_enabled", "permission_scope_added", "tool_added"], "once"]],
  ["texts and the author's version break nothing", () => harmless(withTool({}), make({ agent_version: "2.0.0", tools: [tool("t", { description_i18n_key: "x" })] })).sort(), ["agent_version_changed", "description_changed"]],
  // Tool calls
  ["a client matches the call with a tool of the manifest", () => { try { return receiveToolCall(call("none"), BASE, client().gate, PLACE); } catch (error) { return (error as { code: string }).code; } }, "UNKNOWN_TOOL"],
  ["ok has the result", () => respond(createArtifactResponse("1", { result: { lines: 1 } })), { status: "ok", result: { lines: 1 } }],
  ["denied has one of four reasons", async () => Promise.all(DENIAL_REASONS.map((reason) => respond(createArtifactResponse("1", { decision: "denied", reason })))), DENIAL_REASONS.map((reason) => ({ status: "denied", reason }))],
  ["error has a text", () => respond(createArtifactResponse("1", { error: "ENOENT" })), { status: "error", reason: "ENOENT" }],
  ["a call of a group is always denied", () => ["low", "none"].map((name) => receiveToolCall(call(name, { x: 1 }), BASE, client().gate, { ...PLACE, is_group: true }).decision), Array(2).fill({ decision: "denied", reason: "tool_not_supported_in_group" })],
];

test("the table has every sentence once", () => {
  expect(SENTENCES).toHaveLength(61);
  expect(new Set(SENTENCES.map(([sentence]) => sentence)).size).toBe(61);
});

test.each(SENTENCES)("%s", async (_sentence, see, expected) => {
  expect(await see()).toEqual(expected);
});
