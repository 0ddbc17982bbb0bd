import { ownMember } from "@agentprint/canonical-json/json-value";
import type { Policy, RuleDecisions } from "./policy.ts";

/** The rules about what a statement states: each difference is one between the server and the statement, too. */
const STATED: RuleDecisions = Object.fromEntries(
  [
    ..."tool-contract-changed contract-unproven schema-compatible input-widened free-text-added anything-added".split(
      " ",
    ),
    ..."values-widened tool-prose-changed prose-signal hint-more-power hint-less-asking hint-default-written".split(
      " ",
    ),
    ..."tool-hints-changed tool-rest-changed tool-renamed item-added item-removed item-changed".split(" "),
  ].map((name) => [`mcp/${name}`, { guard: "block" }]),
);

/**
 * Returns the policy by which a guard decides about a server: where a statement about it is required, a guard lets no definition through that
 * is not the pinned one, which the statement states. All other decisions stay.
 *
 * @example
 * ```ts
 * import { asStated, decide, parsePolicy } from "@agentprint/policy";
 * import { DRIFT_CATALOG } from "@agentprint/mcp-lock";
 *
 * const keys = ["MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="];
 * const policy = parsePolicy({ preset: "breaking", statements: { files: { keys, required: true } } }, DRIFT_CATALOG);
 * const finding = { rule: "mcp/item-added", level: "error", place: { subject: "files", server: "files" } } as const;
 * console.log(decide(finding, policy).guard, decide(finding, asStated(policy, "files")).guard); // pass block
 * ```
 */
export function asStated(policy: Policy, server: string): Policy {
  const { statements = {}, servers } = policy;
  if (ownMember(statements, server)?.required !== true) return policy;
  const own = ownMember(servers, server) ?? { rules: {}, calls: {} };
  const rules = Object.entries(STATED).map(([id, stated]) => [id, { ...ownMember(own.rules, id), ...stated }]);
  return {
    ...policy,
    servers: { ...servers, [server]: { ...own, rules: { ...own.rules, ...Object.fromEntries(rules) } } },
  };
}
