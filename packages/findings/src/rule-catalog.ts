import { checkArgument } from "./check-argument.ts";
import type { Rules } from "./rule.ts";

/** The rules that a policy can name. */
export interface RuleCatalog {
  /** Returns the rule with an id, which may lack its domain; `undefined` if there is none. */
  find(id: string): { readonly id: string; readonly isConfigurable: boolean } | undefined;
}

/**
 * Returns a catalog of rules for policies; no policy can decide about a rule with `fixedBecause`.
 *
 * @example
 * ```ts
 * import { catalogOf } from "@agentprint/findings";
 *
 * const example = { text: "A hand moved back." };
 * const rule = { level: "error", summary: "A clock is slow.", help: "Wind it.", why: "Trains leave.", example } as const;
 * console.log(catalogOf({ "clock/slow": rule }).find("slow")); // { id: "clock/slow", isConfigurable: true }
 * ```
 */
export function catalogOf(rules: Rules): RuleCatalog {
  checkArgument("rules", rules, "object");
  const ids = Object.keys(rules);
  return Object.freeze({
    find(given: string) {
      const id = fullId(given, ids);
      return id === undefined ? undefined : { id, isConfigurable: rules[id]?.fixedBecause === undefined };
    },
  });
}

/**
 * Returns the full id for an id that is full, or that lacks its domain if only one domain has such a rule; otherwise
 * `undefined`.
 *
 * @example
 * ```ts
 * import { fullId } from "@agentprint/findings";
 *
 * fullId("slow", ["clock/slow", "clock/fast", "train/fast"]); // "clock/slow"
 * fullId("fast", ["clock/slow", "clock/fast", "train/fast"]); // undefined
 * ```
 */
export function fullId(given: string, ids: readonly string[]): string | undefined {
  checkArgument("given", given, "string");
  checkArgument("ids", ids, ["string"]);
  if (ids.includes(given)) return given;
  const [id, ...others] = ids.filter((id) => id.slice(id.indexOf("/") + 1) === given);
  return others.length === 0 ? id : undefined;
}
