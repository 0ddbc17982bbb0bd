import { findingsOfExample } from "@agentprint/testing/lock/rule-examples";
import { expect, test } from "vitest";
import { DRIFT_RULES, type DriftRuleId } from "../src/index.ts";

test.each(Object.keys(DRIFT_RULES) as DriftRuleId[])("the example of %s yields it", (id) => {
  expect(findingsOfExample(id).map(({ rule }) => rule)).toContain(id);
});
