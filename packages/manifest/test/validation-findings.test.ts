import { catalogOf } from "@agentprint/findings";
import { manifestOf, scopeOf } from "@agentprint/testing/manifest/manifests";
import { describe, expect, test } from "vitest";
import { ISSUE_RULES, validationFindings, WARNING_RULES } from "../src/findings/index.ts";
import { type CapabilityManifest, parseManifest } from "../src/index.ts";

const found = (manifest: CapabilityManifest | object) =>
  validationFindings("manifest.json", parseManifest(JSON.stringify(manifest, null, 1)));

describe("the findings about a manifest", () => {
  test("are none where nothing is wrong", () => {
    expect(found(manifestOf({}))).toEqual([]);
  });

  test("are errors with the line of the value where it is refused", () => {
    expect(found({ ...manifestOf({}), agent_version: "1" })).toEqual([
      {
        rule: "manifest/INVALID_AGENT_VERSION",
        level: "error",
        message: expect.stringMatching(/ \(INVALID_AGENT_VERSION\)$/),
        place: {
          subject: "manifest.json",
          pointer: "/agent_version",
          location: { file: "manifest.json", line: expect.any(Number), column: expect.any(Number) },
        },
      },
    ]);
  });

  test("are warnings where it is accepted", () => {
    const manifest = manifestOf({ tools: [], permission_scopes: [scopeOf("files", "low")] });
    expect(found(manifest).map(({ rule, level }) => [rule, level])).toEqual([["manifest/UNUSUAL_SCOPE_ID", "warning"]]);
  });

  test("have no line where the manifest is no text", () => {
    const [finding] = validationFindings("manifest.json", parseManifest({}));
    expect(finding?.place.location).toEqual({ file: "manifest.json" });
  });
});

test("a policy decides about warnings, and not about what is refused everywhere", () => {
  const decides = (rules: typeof ISSUE_RULES | typeof WARNING_RULES) =>
    new Set(Object.keys(rules).map((id) => catalogOf(rules).find(id)?.isConfigurable));
  expect([[...decides(ISSUE_RULES)], [...decides(WARNING_RULES)]]).toEqual([[false], [true]]);
});
