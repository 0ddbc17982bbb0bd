import { checkArgument } from "../check-argument.ts";
/**
 * The id of the rule that a code of the specification stands for: `manifest/unknown-scope` for `UNKNOWN_SCOPE`.
 */
export type ManifestRuleId<Code extends string> = `manifest/${KebabCase<Lowercase<Code>>}`;

type KebabCase<Text extends string> = Text extends `${infer First}_${infer Rest}`
  ? `${First}-${KebabCase<Rest>}`
  : Text;

/**
 * The id of the rule that a code of the specification stands for.
 *
 * @example
 * ```ts
 * import { manifestRuleId } from "@agentprint/manifest/rules";
 *
 * console.log(manifestRuleId("UNKNOWN_SCOPE")); // manifest/unknown-scope
 * ```
 */
export function manifestRuleId<Code extends string>(code: Code): ManifestRuleId<Code> {
  checkArgument("code", code, "string");
  return `manifest/${code.toLowerCase().replaceAll("_", "-")}` as ManifestRuleId<Code>;
}
