import { type CapabilityManifest, createConsentGate, type Sensitivity } from "@agentprint/manifest";
import { EMPTY, withScopes } from "@agentprint/testing/manifest/scoped-manifests";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRegistry, type TestRegistry } from "./support/registry.ts";

let registry: TestRegistry;
beforeAll(async () => {
  registry = await openRegistry();
});
afterAll(() => registry.close());

let count = 0;

/** Publishes versions of a new agent and returns its id. */
async function publishAll(manifests: readonly CapabilityManifest[]): Promise<string> {
  const id = `agent-${count++}`;
  const [first = EMPTY, ...others] = manifests;
  await registry.create(id, first);
  for (const manifest of others) await registry.publish(id, manifest);
  return id;
}

describe("GET /agents/:id/consent", () => {
  test("lists the questions, and the repeated ones", async () => {
    const id = await publishAll([
      withScopes({ "kept:low": "low", "kept:high": "high", "raised:low": "low", "lowered:high": "high" }),
      withScopes({
        "kept:low": "low",
        "kept:high": "high",
        "raised:low": "medium",
        "lowered:high": "low",
        "new:low": "low",
      }),
    ]);
    const { body } = await registry.get(`/agents/${id}/consent?accepted=1`);
    expect(body).toMatchObject({ accepted: 1, present: 2, review: true });
    expect(
      body.scopes.map((scope: { id: string; ask: string; asked_anew: boolean }) => [
        scope.id,
        scope.ask,
        scope.asked_anew,
      ]),
    ).toEqual([
      ["kept:low", "never", false],
      ["kept:high", "every_call", false],
      ["raised:low", "first_use", true],
      ["lowered:high", "every_call", false],
      ["new:low", "once", true],
    ]);
    expect(body.scopes[0]).toMatchObject({ tools: ["use_kept_low"], accepted_sensitivity: "low" });
    expect((await registry.get(`/agents/${id}/consent?accepted=2`)).body).toMatchObject({ review: false });
    expect((await registry.get(`/agents/${id}/consent?accepted=3`)).body).toMatchObject({ code: "VERSION_NOT_FOUND" });
  });

  test("lists the questions for a new user: adding the agent permits scopes of low sensitivity", async () => {
    const id = await publishAll([withScopes({ "a:low": "low", "a:medium": "medium", "location:read": "low" })]);
    const { body } = await registry.get(`/agents/${id}/consent`);
    expect(body).toMatchObject({ accepted: null, present: 1, review: false });
    expect(body.scopes).toMatchObject([
      { id: "a:low", ask: "never", accepted_sensitivity: null, asked_anew: true },
      { id: "a:medium", ask: "first_use", accepted_sensitivity: null, asked_anew: true },
      { id: "location:read", ask: "every_call", sensitivity: "high", declared_sensitivity: "low" },
    ]);
    expect((await registry.get("/agents/nobody/consent")).body).toMatchObject({ code: "AGENT_NOT_FOUND" });
  });

  test("a standard permission is asked for by at least its standard sensitivity, whatever is declared", async () => {
    const declared = { "location:read": "low", "filesystem:read": "low", "notification:send": "medium" } as const;
    const id = await publishAll([withScopes(declared), withScopes(declared)]);
    const { body } = await registry.get(`/agents/${id}/consent?accepted=1`);
    expect(body.scopes).toMatchObject([
      { sensitivity: "high", declared_sensitivity: "low", accepted_sensitivity: "high", ask: "every_call" },
      { sensitivity: "medium", declared_sensitivity: "low", accepted_sensitivity: "medium", ask: "first_use" },
      { sensitivity: "medium", declared_sensitivity: "medium", accepted_sensitivity: "medium", ask: "first_use" },
    ]);
  });

  test("a permission that was removed in between counts as new", async () => {
    const scopes = withScopes({ "a:b": "low" });
    const id = await publishAll([scopes, EMPTY, scopes]);
    expect((await registry.get(`/agents/${id}/consent?accepted=1`)).body.scopes).toMatchObject([
      { accepted_sensitivity: null, ask: "once", asked_anew: true },
    ]);
  });

  test("agrees with the consent gate of a client that saw every version", async () => {
    const manifest = fc
      .dictionary(
        fc.constantFrom("a:a", "b:b", "notification:send", "filesystem:read", "location:read"),
        fc.constantFrom<Sensitivity>("low", "medium", "high"),
      )
      .map((scopes) => withScopes(scopes));
    await fc.assert(
      fc.asyncProperty(fc.array(manifest, { minLength: 1, maxLength: 5 }), async (manifests) => {
        const id = await publishAll(manifests);
        const gate = createConsentGate({ now: () => 0 });
        gate.accept(manifests[0] as CapabilityManifest);
        const call = { tool_name: "none", device_id: "d", session_id: "s" };
        for (const next of manifests) gate.request(next, { ...call, call_id: "x" });
        const present = manifests.at(-1) as CapabilityManifest;
        const asked = present.tools.map((tool, index) => {
          const request = (id: string) => gate.request(present, { ...call, tool_name: tool.name, call_id: id });
          const first = request(`${index}`);
          if (first.decision === "execute") return "never";
          gate.answer(`${index}`, true);
          if (first.decision === "prompt" && first.sensitivity === "low") return "once";
          return request(`${index}-again`).decision === "execute" ? "first_use" : "every_call";
        });
        const { body } = await registry.get(`/agents/${id}/consent?accepted=1`);
        expect(body.scopes.map(({ ask }: { ask: string }) => ask)).toEqual(asked);
      }),
      { numRuns: 60 },
    );
  });
});
