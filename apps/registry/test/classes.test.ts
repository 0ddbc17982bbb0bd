import { addCompatibility, diffManifests } from "@agentprint/manifest";
import { diffReport } from "@agentprint/manifest/rules";
import { withScopes } from "@agentprint/testing/manifest/scoped-manifests";
import { expect, test } from "vitest";
import { openRegistry } from "./support/registry.ts";

test("a change has the same class as in the command, and weakened consent is marked", async () => {
  const before = withScopes({ "files:read": "high", "files:write": "medium" });
  const after = { ...withScopes({ "files:read": "low" }), agent_version: "9.9.9" };
  const registry = await openRegistry();
  await registry.create("classes", before);
  await registry.publish("classes", after);
  const { body } = await registry.get("/agents/classes/diff?from=1&to=2");
  await registry.close();
  const side = (manifest: typeof before) => ({ file: "m", text: new TextEncoder().encode(JSON.stringify(manifest)) });
  const report = diffReport(addCompatibility(diffManifests(before, after)), side(before), side(after));
  const { breaking_changes: breaking, non_breaking_changes: nonBreaking, unclassified_changes: unclassified } = body;
  expect({ breaking, nonBreaking, unclassified }).toEqual(report.data);
  expect([breaking.length, nonBreaking.length, unclassified.length].every((count) => count > 0)).toBe(true);
  expect(body.weakens_consent).toBe(true);
});
