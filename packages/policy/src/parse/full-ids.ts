import { isSameJson, type PathSegment, printable, toPointer } from "@agentprint/canonical-json";
import type { RuleCatalog } from "@agentprint/findings";
import { isFixed } from "../apply/decide.ts";
import type { Ignore, RuleDecisions } from "../apply/policy.ts";
import { PolicyError } from "../errors.ts";
import type { DocumentIgnore, DocumentRules } from "./policy-document.ts";

/** Reads the parts of a document that name rules, and adds the domain to ids that lack it. */
export class FullIds {
  readonly #rules: RuleCatalog;
  readonly #onShortId: (given: string, id: string) => void;
  readonly #reported = new Set<string>();

  constructor(rules: RuleCatalog, onShortId: (given: string, id: string) => void = () => {}) {
    this.#rules = rules;
    this.#onShortId = onShortId;
  }

  /** @throws {@link PolicyError} `unknown-rule`, `fixed-rule`, `two-decisions` */
  ofDecisions(given: DocumentRules = {}, path: readonly PathSegment[]): RuleDecisions {
    const decisions = new Map<string, RuleDecisions[string]>();
    for (const [name, value] of Object.entries(given)) {
      const place = [...path, name];
      const id = this.#idOf(name, place);
      const { check, guard } = typeof value === "string" ? { check: value } : { ...value };
      const decided = { ...(check && { check }), ...(guard && { guard }) };
      const before = decisions.get(id);
      if (before !== undefined && !isSameJson(before, decided)) {
        throw new PolicyError(
          "two-decisions",
          toPointer(place),
          `another id of the rule ${id} has other decisions`,
          "one of them",
        );
      }
      decisions.set(id, decided);
    }
    return Object.fromEntries(decisions);
  }

  /** @throws {@link PolicyError} `unknown-rule`, `fixed-rule` */
  ofIgnore(ignore: DocumentIgnore, path: readonly PathSegment[]): Ignore {
    const { rule, server, tool, path: pointer, until, reason } = ignore;
    return {
      rule: this.#idOf(rule, path),
      ...(server !== undefined && { server }),
      ...(tool !== undefined && { tool }),
      ...(pointer !== undefined && { path: pointer }),
      until,
      reason,
    };
  }

  #idOf(given: string, path: readonly PathSegment[]): string {
    const rule = this.#rules.find(given);
    if (rule === undefined) {
      throw new PolicyError(
        "unknown-rule",
        toPointer(path),
        `there is no rule ${printable(given)}`,
        "the id of a rule",
      );
    }
    const { id, isConfigurable } = rule;
    if (!isConfigurable || isFixed({ rule: id })) {
      const message = `no policy can decide about the rule ${id}`;
      throw new PolicyError("fixed-rule", toPointer(path), message, "a rule that can be configured");
    }
    if (id !== given && !this.#reported.has(given)) this.#onShortId(given, id);
    this.#reported.add(given);
    return id;
  }
}
