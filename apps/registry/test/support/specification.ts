import {
  type CapabilityManifest,
  canonicalizeManifest,
  createConsentGate,
  createPendingToolCalls,
  diffManifests,
  type ManifestTool,
  type PermissionScope,
  parseManifest,
  type Sensitivity,
} from "@agentprint/manifest";

// These parts are shared by the tests of the specification's sentences.

export const scope = (id: string, sensitivity: Sensitivity): PermissionScope => ({
  id,
  label_i18n_key: `label.${id}`,
  sensitivity,
});
export const tool = (name: string, fields: Partial<ManifestTool> = {}): ManifestTool => ({
  name,
  description_i18n_key: `tools.${name}`,
  input_schema: { type: "object", properties: { path: { type: "string" } }, additionalProperties: false },
  permission_scope: "a:medium",
  ...fields,
});
export const SCOPES = [scope("a:low", "low"), scope("a:medium", "medium"), scope("a:high", "high")];
export const make = (fields: Partial<Record<keyof CapabilityManifest, unknown>> = {}): CapabilityManifest =>
  ({
    schema_version: "1.0",
    agent_version: "1.0.0",
    tools: ["low", "medium", "high"].map((level) => tool(level, { permission_scope: `a:${level}` })),
    permission_scopes: SCOPES,
    capability_flags: { supports_streaming: true },
    ...fields,
  }) as CapabilityManifest;
export const BASE = make();
export const withTool = (fields: Record<string, unknown>): CapabilityManifest =>
  make({ tools: [tool("t", fields as never)] });

export const issues = (manifest: unknown): string[] => {
  const parsed = parseManifest(manifest);
  return parsed.ok ? [] : parsed.issues.map(({ code }) => code);
};
export const warnings = (manifest: unknown): string[] => {
  const parsed = parseManifest(manifest);
  return parsed.ok ? parsed.warnings.map(({ code }) => code) : ["refused"];
};
export const breaking = (before: CapabilityManifest, after: CapabilityManifest): string[] =>
  diffManifests(before, after).breaking.map(({ kind }) => kind);
export const harmless = (before: CapabilityManifest, after: CapabilityManifest): string[] => {
  const { breaking, nonBreaking } = diffManifests(before, after);
  return breaking.length > 0 ? ["breaking"] : nonBreaking.map(({ kind }) => kind);
};
export const sized = (bytes: number): CapabilityManifest => {
  const length = (key: string) =>
    canonicalizeManifest(make({ tools: [tool("t", { description_i18n_key: key })] })).length;
  return make({ tools: [tool("t", { description_i18n_key: "k".repeat(bytes - length("k") + 1) })] });
};

export const PLACE = { device_id: "d", session_id: "s" };
/** Creates a client whose user has added the agent, with a clock that the test controls. */
export function client(manifest = BASE) {
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
export const call = (tool_name: string, values: object = {}) => ({
  subtype: "tool_call",
  call_id: "1",
  tool_name,
  arguments: values,
});

export async function respond(response: object): Promise<unknown> {
  const calls = createPendingToolCalls({ schedule: () => () => {} });
  const outcome = calls.call(call("t") as never);
  calls.receive(response);
  return outcome;
}

export const without = (member: string): object =>
  Object.fromEntries(Object.entries(BASE).filter(([name]) => name !== member));
