import {
  CAPABILITY_FLAGS,
  type CapabilityManifest,
  capabilityEntries,
  consentFor,
  createArtifactResponse,
  type DenialReason,
  hashManifest,
  REVIEW_CARD,
  receiveToolCall,
} from "@agentprint/manifest";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRegistry, type TestRegistry } from "./support/registry.ts";
import {
  BASE,
  breaking,
  call,
  client,
  harmless,
  issues,
  make,
  PLACE,
  respond,
  SCOPES,
  scope,
  sized,
  tool,
  warnings,
  withTool,
} from "./support/specification.ts";

/** The reasons for a denial in the specification's order. */
const DENIAL_REASONS: readonly DenialReason[] = [
  "user_rejected",
  "user_timeout",
  "tool_not_supported_in_group",
  "permission_revoked",
];

// The testable sentences of the manifest specification, one row each, in its order and in this project's words.

let registry: TestRegistry;
beforeAll(async () => {
  registry = await openRegistry();
});
afterAll(() => registry.close());

let agents = 0;
/** Publishes versions of a new agent and returns the last answer. */
async function published(...manifests: readonly unknown[]) {
  const id = `spec-${++agents}`;
  let last = await registry.create(id, manifests[0] as CapabilityManifest);
  for (const manifest of manifests.slice(1)) last = await registry.publish(id, manifest);
  return { ...last, id };
}

const SENTENCES: readonly [string, () => unknown, unknown][] = [
  // Flags, size
  [
    "there are four flags",
    () => [CAPABILITY_FLAGS.length, issues(make({ capability_flags: { supports_video: true } }))],
    [4, ["UNKNOWN_FIELD"]],
  ],
  [
    "voice is not there in version 1",
    () => warnings(make({ capability_flags: { supports_voice: true } })),
    ["UNAVAILABLE_CAPABILITY"],
  ],
  [
    "flags select the entries that a client shows",
    () => capabilityEntries(make({ capability_flags: { supports_artifacts: true } }), "zh").map(({ label }) => label),
    ["Artifact 编辑面板"],
  ],
  [
    "128 KB are accepted, and one byte more is 413",
    async () => [issues(sized(131_072)), (await published(sized(131_073))).status],
    [[], 413],
  ],
  [
    "64 KB are warned of",
    async () => {
      const { id } = await published(sized(65_536));
      return (await registry.get(`/agents/${id}`)).body.warnings[0].code;
    },
    "MANIFEST_LARGE",
  ],
  // REST, versions
  [
    "a manifest is sent by PATCH with a key",
    async () => (await registry.publish((await published(BASE)).id, BASE, { token: null })).status,
    401,
  ],
  [
    "the answer has four members",
    async () => Object.keys((await published(BASE, BASE)).body),
    ["agent_id", "capability_manifest_version", "capability_manifest_hash", "breaking_changes"],
  ],
  [
    "the hash is of the canonical JSON",
    async () => (await published(BASE)).body.capability_manifest_hash,
    hashManifest(BASE),
  ],
  [
    "the version rises by one, and never by more",
    async () => (await published(BASE, { bad: 1 }, BASE, BASE)).body.capability_manifest_version,
    3,
  ],
  // The diff
  ["a removed tool breaks", () => breaking(BASE, make({ tools: BASE.tools.slice(1) })), ["tool_removed"]],
  [
    "a changed input_schema breaks",
    () => breaking(withTool({}), withTool({ input_schema: { type: "object", additionalProperties: false } })),
    ["input_schema_changed"],
  ],
  [
    "a more sensitive scope of a tool breaks",
    () => breaking(withTool({}), withTool({ permission_scope: "a:high" })),
    ["permission_scope_escalated"],
  ],
  [
    "a removed scope breaks",
    () => breaking(make({ tools: [] }), make({ tools: [], permission_scopes: SCOPES.slice(1) })),
    ["permission_scope_removed"],
  ],
  [
    "a flag that is taken back breaks",
    () => breaking(BASE, make({ capability_flags: {} })),
    ["capability_flag_revoked"],
  ],
  [
    "a break is a card for every user",
    async () => {
      const { id } = await published(BASE, make({ tools: [] }));
      return [(await registry.get(`/agents/${id}/consent?accepted=1`)).body.review, REVIEW_CARD.zh];
    },
    [true, "Agent 能力变更,请重新审阅权限"],
  ],
  [
    "additions break nothing, and a new scope is not granted",
    () => [
      harmless(
        BASE,
        make({
          tools: [...BASE.tools, tool("more", { permission_scope: "b:b" })],
          permission_scopes: [...SCOPES, scope("b:b", "low")],
          capability_flags: { supports_streaming: true, supports_artifacts: true },
        }),
      ).sort(),
      consentFor(make({ tools: [], permission_scopes: [scope("b:b", "low")] }), { manifest: BASE })[0]?.ask,
    ],
    [["capability_flag_enabled", "permission_scope_added", "tool_added"], "once"],
  ],
  [
    "texts and the author's version break nothing",
    () =>
      harmless(
        withTool({}),
        make({ agent_version: "2.0.0", tools: [tool("t", { description_i18n_key: "x" })] }),
      ).sort(),
    ["agent_version_changed", "description_changed"],
  ],
  // Tool calls
  [
    "a client matches the call with a tool of the manifest",
    () => {
      try {
        return receiveToolCall(call("none"), BASE, client().gate, PLACE);
      } catch (error) {
        return (error as { code: string }).code;
      }
    },
    "UNKNOWN_TOOL",
  ],
  [
    "ok has the result",
    () => respond(createArtifactResponse("1", { result: { lines: 1 } })),
    { status: "ok", result: { lines: 1 } },
  ],
  [
    "denied has one of four reasons",
    async () =>
      Promise.all(DENIAL_REASONS.map((reason) => respond(createArtifactResponse("1", { decision: "denied", reason })))),
    DENIAL_REASONS.map((reason) => ({ status: "denied", reason })),
  ],
  [
    "error has a text",
    () => respond(createArtifactResponse("1", { error: "ENOENT" })),
    { status: "error", reason: "ENOENT" },
  ],
  [
    "a call of a group is always denied",
    () =>
      ["low", "none"].map(
        (name) => receiveToolCall(call(name, { x: 1 }), BASE, client().gate, { ...PLACE, is_group: true }).decision,
      ),
    Array(2).fill({ decision: "denied", reason: "tool_not_supported_in_group" }),
  ],
];

test("the table has every sentence once", () => {
  expect(new Set(SENTENCES.map(([sentence]) => sentence)).size).toBe(22);
});

test.each(SENTENCES)("%s", async (_sentence, see, expected) => {
  expect(await see()).toEqual(expected);
});
