import { manifestOf, scopeOf, toolOf } from "@agentprint/testing/manifest/manifests";
import { describe, expect, test } from "vitest";
import { diffManifests, type ManifestTool } from "../src/index.ts";

describe("a new tool that may be a removed tool under another name", () => {
  const SCOPES = [scopeOf("l:l", "low"), scopeOf("m:m", "medium"), scopeOf("h:h", "high"), scopeOf("h:i", "high")];
  const using = (...tools: [name: string, scope: string, fields?: Partial<ManifestTool>][]) => ({
    tools: tools.map(([name, permission_scope, fields]) => toolOf(name, { permission_scope, ...fields })),
    permission_scopes: SCOPES,
  });
  const weakening = (before: object, after: object): string[] =>
    Object.values(diffManifests(manifestOf(before), manifestOf(after)))
      .flat()
      .filter(({ weakens_consent }) => weakens_consent)
      .map(({ kind, path }) => `${kind} ${path}`);
  const same = { description_i18n_key: "same" };
  const other: Partial<ManifestTool> = {
    description_i18n_key: "other",
    input_schema: { type: "object", additionalProperties: false, properties: { more: {} } },
    timeout_ms: 1,
  };

  test.each([
    ["nothing else changed", same],
    ["everything else changed too", other],
  ])("weakens consent if it needs a less sensitive permission and %s", (_name, fields) => {
    for (const [was, is] of [
      ["h:h", "l:l"],
      ["h:h", "m:m"],
      ["m:m", "l:l"],
    ] as const) {
      expect(weakening(using(["a", was, same]), using(["b", is, fields]))).toEqual(["tool_added /tools/0"]);
      expect(weakening(using(["a", is, same]), using(["b", was, other]))).toEqual([]);
    }
  });

  test("weakens consent if its scope is lowered, as a kept tool does", () => {
    const before = { tools: [toolOf("a"), toolOf("stays")], permission_scopes: [scopeOf("files:read", "high")] };
    const after = { tools: [toolOf("b"), toolOf("stays")], permission_scopes: [scopeOf("files:read", "low")] };
    expect(weakening(before, after).toSorted()).toEqual([
      "permission_scope_changed /permission_scopes/0/sensitivity",
      "tool_added /tools/0",
    ]);
  });

  test("weakens consent with the same description and another scope, as a kept tool does", () => {
    expect(weakening(using(["a", "h:h", same]), using(["b", "h:i", same]))).toEqual(["tool_added /tools/0"]);
    expect(weakening(using(["a", "l:l", same]), using(["b", "h:i", same]))).toEqual(["tool_added /tools/0"]);
    expect(weakening(using(["a", "l:l", same]), using(["b", "h:i", other]))).toEqual([]);
    expect(weakening(using(["a", "h:h", same]), using(["b", "h:h", same]))).toEqual([]);
  });

  test("is compared with every removed tool and with no kept tool", () => {
    expect(weakening(using(["a", "l:l"], ["b", "h:h"]), using(["c", "m:m"], ["d", "h:h"]))).toEqual([
      "tool_added /tools/0",
    ]);
    expect(weakening(using(["a", "h:h"]), using(["a", "h:h"], ["b", "l:l"]))).toEqual([]);
    expect(weakening(using(["a", "h:h"]), using())).toEqual([]);
  });
});
