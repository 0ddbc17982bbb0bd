import { checkResume, diffSpecs, fingerprintSpec, hashSpec } from "@agentprint/drover";
import { expect, test } from "vitest";

test("the quick start does what it says", async () => {
  const spec = { id: "writer", systemPrompt: "Always ask before you delete.", tools: ["read", "bash"] };
  const run = {
    agentId: spec.id,
    status: "paused",
    specHash: hashSpec(spec),
    specFingerprint: fingerprintSpec(spec),
  };
  const storage = { loadRun: async () => run, loadLatestCheckpoint: async () => ({ messages: [] }) };
  const edited = { ...spec, systemPrompt: "Never ask before you delete." };
  const result = await checkResume(edited, "run_1", { storage });
  expect(result).toMatchObject({
    ok: false,
    error: { message: expect.stringMatching(/ Changed fields: systemPrompt\.$/) },
  });

  const [change] = diffSpecs(spec, edited).changes;
  expect(change?.field).toBe("systemPrompt");
  expect(change?.values?.[0]?.lines).toEqual([
    { kind: "removed", line: 1, text: "Always ask before you delete." },
    { kind: "added", line: 1, text: "Never ask before you delete." },
  ]);
});

test("the digests in the documentation are right", () => {
  const spec = { id: "writer", systemPrompt: "Write." };
  const { spec32, sha256, fields } = fingerprintSpec(spec);
  expect([spec32, sha256.length, Object.keys(fields).length]).toEqual(["759df975", 64, 7]);
});
