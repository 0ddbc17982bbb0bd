import { runs } from "@agentprint/testing/property-runs";
import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parsePolicy, policyJsonSchema } from "../src/index.ts";
import { policies } from "./support/policies.ts";
import { RULES } from "./support/rules.ts";

const validate = new Ajv({ strict: true, validateFormats: false }).compile(
  policyJsonSchema({ "mcp/item-added": { summary: "Something is new." } }),
);

function isAccepted(document: unknown): boolean {
  try {
    parsePolicy(document, RULES);
    return true;
  } catch {
    return false;
  }
}

test("the JSON Schema accepts what is a policy", () => {
  fc.assert(
    fc.property(policies, (document) => {
      expect(validate(document), JSON.stringify(document)).toBe(true);
    }),
  );
});

test("the JSON Schema and the parser refuse the same values in a member", () => {
  const paths = [
    ["preset"],
    ["rules", "mcp/item-added"],
    ["rules", "mcp/item-added", "guard"],
    ["ignores", 0, "until"],
    ["servers", "files", "calls", "read", "maxPerMinute"],
    ["servers", "files", "calls", "read", "deny"],
    ["servers", "files", "other"],
  ];
  const values = fc.oneof(
    fc.constantFrom("strict", "off", "pass", "2026-02-28", "2026-02-30", true, 0, 1, 0.5),
    fc.jsonValue({ maxDepth: 1 }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...paths), values, (path, value) => {
      const inner = path.reduceRight<unknown>((below, name) => {
        if (name === 0) return [below];
        return name === "until" ? { rule: "mcp/item-added", reason: "agreed", until: below } : { [name]: below };
      }, value);
      fc.pre(!JSON.stringify(inner).includes("__proto__"));
      expect(validate(inner), JSON.stringify(inner)).toBe(isAccepted(inner));
    }),
    { numRuns: runs(500) },
  );
});

test("editors are offered the rules, with what they mean", () => {
  const schema = policyJsonSchema({ "mcp/item-added": { summary: "Something is new." } }) as {
    definitions: { rules: { properties: object } };
  };
  expect(schema.definitions.rules.properties).toEqual({
    "mcp/item-added": {
      description: "Something is new.",
      allOf: [{ $ref: "#/definitions/rules/additionalProperties" }],
    },
  });
});
