import {
  type AgentSpec,
  hashSpec,
  SPEC_COVERAGE,
  type SpecCoverage,
  SpecError,
  specHashPayload,
} from "@agentprint/drover";
import { anyCharacter } from "@agentprint/testing/text/any-character";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const base = { id: "writer", systemPrompt: "Write." };
const hash = (spec: unknown): string => hashSpec(spec as AgentSpec);

function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

const anySpec = fc.record(
  {
    id: fc.string({ unit: anyCharacter }),
    systemPrompt: fc.string({ unit: anyCharacter }),
    tools: fc.array(fc.string()),
    model: fc.jsonValue(),
    quota: fc.option(fc.jsonValue()),
    outputRetries: fc.nat(),
    plugins: fc.array(fc.record({ id: fc.string() })),
    commands: fc.jsonValue(),
    lifecycle: fc.jsonValue(),
    description: fc.string(),
    maxTurns: fc.nat(),
  },
  { requiredKeys: ["id", "systemPrompt"] },
);

describe("hashSpec", () => {
  test("is the base-31 fold of the payload's UTF-16 units, modulo 2³²", () => {
    fc.assert(
      fc.property(anySpec, fc.constantFrom(...(Object.keys(SPEC_COVERAGE) as SpecCoverage[])), (spec, coverage) => {
        let fold = 0n;
        for (const unit of specHashPayload(spec, { coverage }).split("")) {
          fold = (fold * 31n + BigInt(unit.charCodeAt(0))) & 0xffffffffn;
        }
        expect(hashSpec(spec, { coverage })).toBe(fold.toString(16));
      }),
    );
  });

  test("covers exactly the fields of the coverage, in its order", () => {
    fc.assert(
      fc.property(anySpec, fc.constantFrom(...(Object.keys(SPEC_COVERAGE) as SpecCoverage[])), (spec, coverage) => {
        const keys = Object.keys(JSON.parse(specHashPayload(spec, { coverage })));
        expect(keys).toEqual(SPEC_COVERAGE[coverage].filter((field) => keys.includes(field)));
      }),
    );
  });

  test("does not see a field that the coverage does not name", () => {
    expect(hash({ ...base, lifecycle: { onStart: "x" }, notes: 1 })).toBe(hash(base));
    expect(hashSpec({ ...base, lifecycle: {} }, { coverage: "codeV4" })).not.toBe(
      hashSpec(base, { coverage: "codeV4" }),
    );
  });

  test("reads a getter once", () => {
    let reads = 0;
    const spec = {
      ...base,
      get model() {
        reads++;
        return `model ${reads}`;
      },
    };
    expect(specHashPayload(spec)).toContain("model 1");
    expect(reads).toBe(1);
  });

  test("reads inherited fields", () => {
    class Spec {
      id = "writer";
      get systemPrompt(): string {
        return "Write.";
      }
    }
    expect(hash(new Spec())).toBe(hash(base));
  });
});

describe("a spec that cannot be hashed", () => {
  const cycle: Record<string, unknown> = {};
  cycle["self"] = { again: cycle };
  const deep = JSON.parse(`${"[".repeat(200_000)}${"]".repeat(200_000)}`);
  const hostile = {
    toJSON() {
      throw new Error("no");
    },
  };
  const blocked = {
    ...base,
    get model(): string {
      throw new Error("blocked");
    },
  };
  test.each([
    ["null", null, "invalid-spec", ""],
    ["a text", "writer", "invalid-spec", ""],
    ["no prompt", { id: "writer" }, "missing-system-prompt", "/systemPrompt"],
    ["a null prompt", { id: "writer", systemPrompt: null }, "missing-system-prompt", "/systemPrompt"],
    ["a number as prompt", { id: "writer", systemPrompt: 1 }, "missing-system-prompt", "/systemPrompt"],
    ["plugins that are no array", { ...base, plugins: "p" }, "invalid-plugins", "/plugins"],
    ["a plugin that is null", { ...base, plugins: [{ id: "a" }, null] }, "invalid-plugins", "/plugins/1"],
    ["a hole in plugins", { ...base, plugins: new Array(1) }, "invalid-plugins", "/plugins/0"],
    ["a cycle", { ...base, memory: cycle }, "cycle", "/memory/self/again"],
    ["a bigint", { ...base, quota: { tokens: [1n] } }, "bigint", "/quota/tokens/0"],
    ["a bigint as the id of a plugin", { ...base, plugins: [{ id: "a" }, { id: 1n }] }, "bigint", "/plugins/1/id"],
    ["a value nested too deep", { ...base, model: deep }, "too-deep", undefined],
    ["a throwing toJSON", { ...base, model: hostile }, undefined, undefined],
    ["a throwing getter", blocked, "unreadable", ""],
  ])("%s", (_name, spec, code, path) => {
    const error = thrown(() => hash(spec));
    expect(error).toBeInstanceOf(SpecError);
    if (code !== undefined) expect((error as SpecError).code).toBe(code);
    if (path !== undefined) expect((error as SpecError).path).toBe(path);
  });

  test("an unknown coverage, even the name of an inherited property", () => {
    const error = thrown(() => hashSpec(base, { coverage: "constructor" as SpecCoverage }));
    expect(error).toMatchObject({ code: "unknown-coverage", message: expect.stringContaining("docV1") });
  });
});
