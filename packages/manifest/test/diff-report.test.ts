import { judgeReport } from "@agentprint/findings";
import { manifestOf, scopeOf, toolOf } from "@agentprint/testing/manifest/manifests";
import { describe, expect, test } from "vitest";
import { diffReport } from "../src/findings/index.ts";
import { addCompatibility, type CapabilityManifest, diffManifests } from "../src/index.ts";

const SCHEMA: CapabilityManifest["tools"][number]["input_schema"] = {
  type: "object",
  properties: { path: { type: "string" } },
  additionalProperties: false,
};

function report(before: CapabilityManifest, after: CapabilityManifest) {
  const side = (file: string, manifest: CapabilityManifest) => ({
    file,
    text: new TextEncoder().encode(JSON.stringify(manifest, null, 1)),
  });
  const diff = addCompatibility(diffManifests(before, after));
  return judgeReport(diffReport(diff, side("before.json", before), side("after.json", after)));
}

/** Returns two tools, the second with a different schema. */
function withSchema(input_schema: CapabilityManifest["tools"][number]["input_schema"]): CapabilityManifest {
  return manifestOf({ tools: [toolOf("read_file"), toolOf("send", { input_schema })] });
}

describe("the report on two manifests", () => {
  test("says that nothing changed", () => {
    expect(report(manifestOf(), manifestOf())).toMatchObject({
      outcome: "same",
      summary: "the same manifest",
      findings: [],
    });
  });

  test("has the counterexample of a breaking schema, and its line", () => {
    const found = report(withSchema(SCHEMA), withSchema({ ...SCHEMA, required: ["path"] }));
    expect(found).toMatchObject({ outcome: "drift", summary: "1 breaking, 0 unclassified, 0 non-breaking" });
    const location = { file: "after.json", line: expect.any(Number), column: expect.any(Number) };
    expect(found.findings).toMatchObject([
      { rule: "manifest/input_schema_changed", level: "error", note: "no longer valid: {}", place: { location } },
    ]);
  });

  test("says that a compatible schema keeps every call valid", () => {
    const wider = { ...SCHEMA, properties: { path: { type: ["string", "null"] } } };
    expect(report(withSchema(SCHEMA), withSchema(wider)).findings[0]?.note).toBe(
      "every call that was valid is still valid",
    );
  });

  test("points into the manifest before for what is gone, and into the one after for what is new", () => {
    const [all, some] = [manifestOf(), manifestOf({ tools: [toolOf("read_file")] })];
    expect(report(all, some).findings[0]).toMatchObject({
      rule: "manifest/tool_removed",
      place: { subject: "after.json", location: { file: "before.json" } },
    });
    expect(report(some, all)).toMatchObject({
      outcome: "same",
      findings: [{ rule: "manifest/tool_added", level: "note", place: { location: { file: "after.json" } } }],
    });
  });

  test("says where users are asked less than before", () => {
    const [high, low] = (["high", "low"] as const).map((level) =>
      manifestOf({ permission_scopes: [scopeOf("files:read", level), scopeOf("notification:send", "low")] }),
    ) as [CapabilityManifest, CapabilityManifest];
    const found = report(high, low);
    expect(found.findings[0]).toMatchObject({ level: "error", note: expect.stringMatching(/^weakens consent/) });
  });
});
