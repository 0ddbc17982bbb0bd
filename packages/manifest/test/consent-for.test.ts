import { manifestOf, scopeOf, toolOf } from "@agentprint/testing/manifest/manifests";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type CapabilityManifest,
  type ConsentGate,
  consentFor,
  createConsentGate,
  SENSITIVITIES,
} from "../src/index.ts";
import { STANDARD_SCOPES } from "../src/sensitivity.ts";

const IDS = ["a:a", "b:b", ...Object.keys(STANDARD_SCOPES)];
const MANIFEST = fc
  .dictionary(fc.constantFrom(...IDS), fc.constantFrom(...SENSITIVITIES))
  .map((scopes) => Object.entries(scopes))
  .map((scopes) =>
    manifestOf({
      tools: scopes.map(([id]) => toolOf(id.replace(":", "_"), { permission_scope: id })),
      permission_scopes: scopes.map(([id, sensitivity]) => scopeOf(id, sensitivity)),
    }),
  );

/** Returns how a gate prompts for each tool in a manifest. */
function asked(gate: ConsentGate, manifest: CapabilityManifest): string[] {
  return manifest.tools.map(({ name }) => {
    const request = (call_id: string) =>
      gate.request(manifest, { call_id, tool_name: name, device_id: "d", session_id: "s" });
    const first = request(name);
    if (first.decision === "execute") return "never";
    gate.answer(name, true);
    if (first.decision === "prompt" && first.sensitivity === "low") return "once";
    return request(`${name} again`).decision === "execute" ? "first_use" : "every_call";
  });
}

test("what a new user is asked is what the gate asks once the agent is added: adding it permits what is low", () => {
  fc.assert(
    fc.property(MANIFEST, (manifest) => {
      const gate = createConsentGate({ now: () => 0 });
      gate.accept(manifest);
      const consent = consentFor(manifest);
      expect(consent.map(({ ask }) => ask)).toEqual(asked(gate, manifest));
      expect(consent.every(({ accepted_sensitivity, asked_anew }) => accepted_sensitivity === null && asked_anew)).toBe(
        true,
      );
      expect(consent.flatMap(({ tools }) => tools)).toEqual(manifest.tools.map(({ name }) => name));
    }),
    { numRuns: runs(300) },
  );
});

test("what a user of an earlier version is asked is what the gate asks after the update", () => {
  fc.assert(
    fc.property(MANIFEST, MANIFEST, (before, present) => {
      const gate = createConsentGate({ now: () => 0 });
      gate.accept(before);
      expect(consentFor(present, { manifest: before }).map(({ ask }) => ask)).toEqual(asked(gate, present));
    }),
    { numRuns: runs(300) },
  );
});

test("a scope that was absent from a version in between counts as new", () => {
  const manifest = manifestOf({ tools: [], permission_scopes: [scopeOf("a:a", "low")] });
  const [scope] = consentFor(manifest, { manifest, kept: new Set() });
  expect(scope).toMatchObject({ accepted_sensitivity: null, ask: "once", asked_anew: true, tools: [] });
  expect(consentFor(manifest, { manifest, kept: new Set(["a:a"]) })[0]).toMatchObject({
    ask: "never",
    asked_anew: false,
  });
});

test("two tools of one scope are listed with it", () => {
  const tools = ["x", "y"].map((name) => toolOf(name));
  expect(consentFor(manifestOf({ tools })).map((each) => each.tools)).toEqual([["x", "y"], []]);
});
