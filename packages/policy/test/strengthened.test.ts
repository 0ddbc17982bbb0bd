import { expect, test } from "vitest";
import { parsePolicy, policyFindings, strengthenedFindings, weakenings } from "../src/index.ts";
import { RULES } from "./support/rules.ts";

test("a stricter policy is reported as notes, the reverse of a weaker one", () => {
  const accepted = parsePolicy({ preset: "compatible", rules: { "mcp/item-removed": "off" } }, RULES);
  const present = parsePolicy({ preset: "compatible" }, RULES);
  const [weakened] = policyFindings("a policy", weakenings(present, accepted));
  expect(strengthenedFindings("a policy", weakenings(present, accepted))).toEqual([
    {
      ...weakened,
      rule: "policy/strengthened",
      level: "note",
      isRemark: true,
      before: { check: "off" },
      after: undefined,
      message:
        "the policy is stricter than the accepted one, in which a check decides less strictly about mcp/item-removed",
    },
  ]);
  expect(strengthenedFindings("a policy", weakenings(accepted, present))).toEqual([]);
});
