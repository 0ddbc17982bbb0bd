import { deepFreeze } from "@agentprint/canonical-json/json-value";
import type { Policy } from "./policy.ts";

/**
 * The policy that applies without a configuration: the preset `strict`.
 *
 * @example
 * ```ts
 * import { DRIFT_CATALOG } from "@agentprint/mcp-lock";
 * import { DEFAULT_POLICY, parsePolicy, weakenings } from "@agentprint/policy";
 *
 * console.log(weakenings(DEFAULT_POLICY, parsePolicy({}, DRIFT_CATALOG)).length); // 0
 * ```
 */
export const DEFAULT_POLICY: Policy = /* @__PURE__ */ deepFreeze({
  preset: "strict",
  rules: {},
  ignores: [],
  servers: {},
});
