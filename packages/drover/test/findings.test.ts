import { describe, expect, test } from "vitest";
import { SPEC_RULES, specFindings, specHashFindings } from "../src/findings/index.ts";
import { diffSpecs, fingerprintSpec, type SpecDiff } from "../src/index.ts";

const SPEC = { id: "writer", model: "small", systemPrompt: "Write.\nBe kind.", tools: ["read"] };
const DRIFT = { rule: "spec/drift", level: SPEC_RULES["spec/drift"].level };

describe("the findings about two specs", () => {
  test("have the values that differ, and of a text the lines", () => {
    const after = { ...SPEC, systemPrompt: "Write.\nBe brief.", tools: ["read", "bash"] };
    expect(specFindings(diffSpecs(SPEC, after), "writer")).toEqual([
      { ...DRIFT, message: "tools added", place: { subject: "writer", pointer: "/tools/1" }, after: "bash" },
      {
        ...DRIFT,
        message: "systemPrompt changed",
        place: { subject: "writer", pointer: "/systemPrompt" },
        before: "Be kind.",
        after: "Be brief.",
      },
    ]);
    expect(specFindings(diffSpecs(after, { ...after, tools: ["read"] }), "writer")).toEqual([
      { ...DRIFT, message: "tools removed", place: { subject: "writer", pointer: "/tools/1" }, before: "bash" },
    ]);
  });

  test("name the field alone where only a fingerprint was recorded", () => {
    const diff = diffSpecs(fingerprintSpec(SPEC), { ...SPEC, model: "large" });
    expect(specFindings(diff, "writer")).toEqual([
      { ...DRIFT, message: "model changed", place: { subject: "writer", pointer: "/model" } },
    ]);
  });

  test("say which fields cannot be decided, and what no hash covers", () => {
    const diff: SpecDiff = {
      ...diffSpecs(SPEC, SPEC),
      undecided: ["pluginIds"],
      warnings: [{ path: "/tools/0", message: "a function" }] as unknown as SpecDiff["warnings"],
    };
    expect(specFindings(diff, "writer").map(({ rule, place }) => [rule, place.pointer])).toEqual([
      ["spec/undecided", "/plugins"],
      ["spec/unseen", "/tools/0"],
    ]);
  });
});

describe("the findings about two 32-bit hashes", () => {
  test("are none where they are the same", () => {
    expect(specHashFindings({ before: "0a", after: "0a" }, [], "writer")).toEqual([]);
  });

  test("have both hashes where they differ", () => {
    expect(specHashFindings({ before: "0a", after: "0b" }, [], "writer")).toMatchObject([
      { ...DRIFT, message: "spec drift", before: "0a", after: "0b" },
    ]);
  });
});
