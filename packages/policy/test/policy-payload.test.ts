import { canonicalize } from "@agentprint/canonical-json";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hashPolicy, type PolicyDocument, parsePolicy, policyCanonicalPayload, weakenings } from "../src/index.ts";
import { policies } from "./support/policies.ts";
import { RULES } from "./support/rules.ts";

const parse = (document: PolicyDocument) => parsePolicy(document, RULES);

const KEY = `MCowBQYDK2VwAyEA${"A".repeat(43)}=`;

test("the payload has what decides something, in one way", () => {
  const ignore = { rule: "mcp/item-added", until: "2026-12-31", reason: "agreed" };
  const payload = policyCanonicalPayload(
    parse({
      $schema: "./schema.json",
      preset: "strict",
      failOn: "warning",
      rules: { "tool-prose-changed": "note", "mcp/item-added": {} },
      ignores: [ignore, { ...ignore, rule: "mcp/item-changed" }, ignore],
      servers: { files: { rules: {}, calls: { read: { deny: false } } }, web: { preset: "strict" } },
      statements: { web: { from: "web.json", keys: [KEY, KEY], required: false }, files: { keys: [KEY] } },
    }),
  );
  expect(payload).toEqual({
    failOn: "warning",
    rules: { "mcp/tool-prose-changed": { check: "note" } },
    ignores: [{ ...ignore, rule: "mcp/item-changed" }, ignore].sort((a, b) =>
      canonicalize(a) < canonicalize(b) ? -1 : 1,
    ),
    servers: { web: { preset: "strict" } },
    statements: { web: { from: "web.json", keys: [KEY] }, files: { keys: [KEY] } },
  });
});

test("the payload is a document of the same policy", () => {
  fc.assert(
    fc.property(policies, (document) => {
      const policy = parse(document);
      const again = parsePolicy(policyCanonicalPayload(policy), RULES);
      expect(hashPolicy(again)).toBe(hashPolicy(policy));
      expect([weakenings(policy, again), weakenings(again, policy)]).toEqual([[], []]);
    }),
  );
});

test("policies that differ in neither direction, ignores aside, have the digests of their payloads", () => {
  expect(hashPolicy(parse({}))).toBe("44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
});
