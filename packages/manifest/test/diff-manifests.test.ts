import { manifestOf, scopeOf, toolOf } from "@agentprint/testing/manifest/manifests";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addCompatibility,
  type Change,
  type ChangeKind,
  diffManifests,
  hashManifest,
  type JudgedChange,
  parseManifest,
  VERDICTS,
} from "../src/index.ts";
import { EDITS, type Edit, manifests } from "./support/edits.ts";

function all(diff: ReturnType<typeof diffManifests>): Change[] {
  return [...diff.breaking, ...diff.nonBreaking, ...diff.unclassified];
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item)]),
  );
}

function keyOf({ kind, tool, scope, flag }: Change): string {
  return [kind, tool ?? scope ?? flag].join(" ");
}

describe("properties", () => {
  test("reordered keys are not a change", () => {
    fc.assert(
      fc.property(manifests, (manifest) => {
        expect(parseManifest(manifest)).toMatchObject({ ok: true });
        expect(all(diffManifests(manifest, reversed(manifest) as never))).toEqual([]);
      }),
    );
  });

  test("there is a change exactly when the hashes differ", () => {
    fc.assert(
      fc.property(manifests, fc.array(fc.constantFrom(...EDITS), { maxLength: 3 }), (manifest, edits) => {
        const after = edits.reduce((edited, edit) => edit.apply(edited), manifest);
        expect(all(diffManifests(manifest, after)).length > 0).toBe(hashManifest(manifest) !== hashManifest(after));
      }),
    );
  });

  test("a sequence of edits has the changes of every edit", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...EDITS]), (edits) => {
        const parts = edits.flatMap((edit) => all(diffManifests(BASE, edit.apply(BASE))).map(keyOf));
        const whole = all(
          diffManifests(
            BASE,
            edits.reduce((edited: typeof BASE, edit: Edit) => edit.apply(edited), BASE),
          ),
        );
        expect(whole.map(keyOf).toSorted()).toEqual([...new Set(parts)].toSorted());
      }),
    );
  });

  test("every kind of change is reached, with its verdict and a sentence in two languages", () => {
    const reached = new Set<ChangeKind>();
    for (const edit of EDITS) {
      const diff = diffManifests(BASE, edit.apply(BASE));
      for (const verdict of ["breaking", "nonBreaking", "unclassified"] as const) {
        for (const { kind, message, path } of diff[verdict]) {
          reached.add(kind);
          expect(VERDICTS[kind]).toBe(verdict);
          expect(message.en).toMatch(/^[\x20-\x7e]+$/);
          expect(message.zh).toMatch(/\p{Script=Han}/u);
          expect(path).toMatch(/^\//);
        }
      }
    }
    expect([...reached].toSorted()).toEqual(Object.keys(VERDICTS).toSorted());
  });
});

/** A manifest of which each edit in {@link EDITS} changes a different part. */
const BASE = manifestOf({
  tools: ["a", "b", "c", "d", "e", "f", "g"].map((name, index) => toolOf(name, { permission_scope: `s:${index}` })),
  permission_scopes: [
    ...Array.from({ length: 7 }, (_, index) => scopeOf(`s:${index}`, "medium")),
    scopeOf("t:low", "low"),
    scopeOf("t:medium", "medium"),
    scopeOf("t:unused", "medium"),
    scopeOf("t:gone", "medium"),
    scopeOf("t:label", "medium"),
  ],
  capability_flags: { supports_streaming: true, supports_artifacts: false, supports_voice: false },
});

describe("consent", () => {
  const weakens = (before: Parameters<typeof manifestOf>[0], after: Parameters<typeof manifestOf>[0]): string[] =>
    all(diffManifests(manifestOf(before), manifestOf(after))).map(
      ({ kind, weakens_consent }) => `${kind} ${weakens_consent}`,
    );
  const scopes = (level: "low" | "medium" | "high", id = "files:read") => ({
    tools: [toolOf("a", { permission_scope: id })],
    permission_scopes: [scopeOf(id, level)],
  });

  test("another sensitivity of a scope is reported with the tool that uses the scope", () => {
    expect(weakens(scopes("low"), scopes("high"))).toEqual(["permission_scope_escalated false"]);
    expect(weakens(scopes("high"), scopes("low"))).toEqual(["permission_scope_changed true"]);
  });

  test("another scope weakens consent even if it is more sensitive", () => {
    const two = [scopeOf("a:a", "low"), scopeOf("b:b", "low"), scopeOf("c:c", "high")];
    const using = (permission_scope: string) => ({
      tools: [toolOf("a", { permission_scope })],
      permission_scopes: two,
    });
    expect(weakens(using("a:a"), using("b:b"))).toEqual(["permission_scope_changed true"]);
    expect(weakens(using("a:a"), using("c:c"))).toEqual(["permission_scope_escalated true"]);
  });

  test("a standard scope below its standard sensitivity weakens consent, even if it is raised or new", () => {
    expect(weakens(scopes("low", "location:read"), scopes("medium", "location:read"))).toEqual([
      "permission_scope_escalated true",
    ]);
    expect(
      weakens(
        { permission_scopes: [], tools: [] },
        { permission_scopes: [scopeOf("clipboard:read", "low")], tools: [] },
      ),
    ).toEqual(["permission_scope_added true"]);
    expect(
      weakens(
        { permission_scopes: [], tools: [] },
        { permission_scopes: [scopeOf("clipboard:read", "high")], tools: [] },
      ),
    ).toEqual(["permission_scope_added false"]);
  });
});

test("changes have their places and values", () => {
  const manifest = manifestOf();
  const edited = manifestOf({
    tools: [toolOf("send", { permission_scope: "notification:send", timeout_ms: 5 })],
    permission_scopes: [scopeOf("files:read", "high"), scopeOf("notification:send", "low")],
    capability_flags: { supports_voice: false },
  });
  const places = all(diffManifests(manifest, edited)).map(({ kind, path, before, after }) => [
    kind,
    path,
    before,
    after,
  ]);
  expect(places).toEqual([
    ["tool_removed", "/tools/0", manifest.tools[0], undefined],
    ["capability_flag_revoked", "/capability_flags/supports_streaming", true, undefined],
    ["timeout_changed", "/tools/0/timeout_ms", undefined, 5],
    ["sensitivity_changed", "/permission_scopes/0/sensitivity", "medium", "high"],
  ]);
});

describe("compatibility", () => {
  const schema = (...properties: object[]) => ({
    tools: [
      toolOf("a", {
        input_schema: { type: "object", properties: Object.assign({}, ...properties), additionalProperties: false },
      }),
    ],
  });
  const judged = (before: object, after: object) =>
    addCompatibility(diffManifests(manifestOf(before), manifestOf(after))).breaking;
  const judge = (before: object, after: object) =>
    judged(before, after).map(({ kind, compatibility }) => [kind, compatibility?.verdict]);

  test("a judged change keeps its verdict and says whether calls stay valid", () => {
    const [text, both, number] = [
      { p: { type: "string" } },
      { p: { type: ["string", "number"] } },
      { p: { type: "number" } },
    ];
    expect(judge(schema(text), schema(both))).toEqual([["input_schema_changed", "compatible"]]);
    expect(judge(schema(both), schema(number))).toEqual([["input_schema_changed", "breaking"]]);
    const [change] = judged(schema(both), schema(number));
    expect(change?.compatibility?.counterexample).toMatchObject({
      acceptedBy: "before",
      value: { p: expect.any(String) },
    });
  });

  test("hostile schemas of many tools share their steps, so that the time does not grow with their number", () => {
    const hostile = (type: string): object => {
      const $defs = Object.fromEntries(
        Array.from({ length: 40 }, (_, i) => [`d${i}`, { anyOf: Array(2).fill({ $ref: `#/$defs/d${i + 1}` }) }]),
      );
      const last = { type: "object", properties: { a: { type } }, required: ["a"] };
      return { type: "object", $ref: "#/$defs/d0", $defs: { ...$defs, d40: last }, additionalProperties: false };
    };
    const tools = (type: string): object => ({
      tools: Array.from({ length: 30 }, (_, i) => toolOf(`t${i}`, { input_schema: hostile(type) as never })),
    });
    const breaking = judged(tools("string"), tools("number"));
    const notes = breaking.map(({ compatibility }) => compatibility?.notes.at(-1)?.message ?? "");
    expect(new Set(breaking.map(({ compatibility }) => compatibility?.verdict))).toEqual(new Set(["unknown"]));
    expect(notes.at(0)).toMatch(/^the comparison was stopped/);
    expect(notes.filter((note) => /^the comparison was not made/.test(note)).length).toBeGreaterThan(20);
  });

  test("a schema that cannot be read is judged unknown", () => {
    let deep: object = {};
    for (let level = 0; level < 400; level++) deep = { not: deep };
    expect(judge(schema({}), schema({ p: deep }))).toEqual([["input_schema_changed", "unknown"]]);
  });

  test("judging adds its result to changed schemas and leaves every other change as it is", () => {
    for (const edit of EDITS) {
      const diff = diffManifests(BASE, edit.apply(BASE));
      for (const change of all(diff)) expect(change).not.toHaveProperty("compatibility");
      const withoutJudgements = all(addCompatibility(diff)).map(({ kind, compatibility, ...change }: JudgedChange) => {
        expect(compatibility !== undefined).toBe(kind === "input_schema_changed");
        return { kind, ...change };
      });
      expect(withoutJudgements).toEqual(all(diff));
    }
  });
});
