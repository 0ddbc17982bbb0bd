import { isSameJson, type JsonValue, ownMember, toPointer } from "@agentprint/canonical-json";
import { LEVELS } from "@agentprint/findings";
import { type DecidedFinding, decideCheck, decideGuard, failOnOf, type Sourced } from "../apply/decide.ts";
import { CHECK_DECISIONS, type CheckDecision, GUARD_DECISIONS } from "../apply/decisions.ts";
import type { Policy } from "../apply/policy.ts";
import { PRESET_NAMES, PRESETS } from "../apply/presets.ts";
import { type Weakening, weakening } from "./weakening.ts";

/** The maximum number of rules that one sentence names. */
const MAX_NAMED = 3;

/** Stands for every rule that neither a policy nor a preset names. */
const OTHER_RULE = "";

/** The rules about whose findings one changed part of the policy decides less strictly. */
interface Lowered {
  readonly source: readonly string[];
  readonly check: Set<string>;
  readonly guard: Set<string>;
  readonly uncounted: Set<string>;
  failOn?: string;
}

/**
 * Returns the parts of the policies that decide less strictly about findings, or no longer report them. Tries every
 * kind of finding: each rule that a policy or a preset names and one that none names, at each level, as a remark or
 * not, for each server.
 */
export function weakenedDecisions(before: Policy, after: Policy): Weakening[] {
  const found = new Map<string, Lowered>();
  const lowered = (was: readonly string[], is: readonly string[]): Lowered => {
    const source = isSameJson(valueAt(before, is), valueAt(after, is)) ? was : is;
    const pointer = toPointer(source);
    const known = found.get(pointer) ?? { source, check: new Set(), guard: new Set(), uncounted: new Set() };
    found.set(pointer, known);
    return known;
  };
  const servers = [undefined, ...new Set([before, after].flatMap((policy) => Object.keys(policy.servers)))];
  for (const server of servers) {
    for (const onlyErrors of [false, true]) compareFailOn(before, after, server, onlyErrors, lowered);
    for (const finding of findingsOf(server, before, after)) compareFinding(before, after, finding, lowered);
  }
  return [...found].map(([pointer, { source, ...what }]) =>
    weakening(pointer, sentence(what), valueAt(before, source), valueAt(after, source)),
  );
}

type Report = (was: readonly string[], is: readonly string[]) => Lowered;

function compareFailOn(
  before: Policy,
  after: Policy,
  server: string | undefined,
  onlyErrors: boolean,
  lowered: Report,
): void {
  const [was, is] = [failOnOf(server, before, onlyErrors), failOnOf(server, after, onlyErrors)];
  if (LEVELS.indexOf(is.decision) <= LEVELS.indexOf(was.decision)) return;
  lowered(was.source, is.source).failOn = `findings count from ${is.decision} instead of ${was.decision}`;
}

function compareFinding(before: Policy, after: Policy, finding: DecidedFinding, lowered: Report): void {
  const { rule, level, isRemark, place } = finding;
  const check = [decideCheck(finding, before), decideCheck(finding, after)] as const;
  const isUncounted = counts(check[0], place.server, before) && !counts(check[1], place.server, after);
  const isLower = CHECK_DECISIONS.indexOf(check[1].decision) < CHECK_DECISIONS.indexOf(check[0].decision);
  // If a preset sets a level for a rule, none of the rule's findings is a note.
  const isExcused = isStricterPreset(...check) && (level === "note" || !isUncounted);
  if (isLower && !isExcused) lowered(check[0].source, check[1].source).check.add(rule);
  else if (isRemark && check[1].preset && !check[0].preset && check[0].decision !== "off") {
    lowered(check[0].source, check[1].source).uncounted.add(rule);
  }
  const guard = [decideGuard(finding, before), decideGuard(finding, after)] as const;
  const isLet = GUARD_DECISIONS.indexOf(guard[1].decision) < GUARD_DECISIONS.indexOf(guard[0].decision);
  if (isLet && !isStricterPreset(...guard)) lowered(guard[0].source, guard[1].source).guard.add(rule);
}

function counts({ decision }: Sourced<CheckDecision>, server: string | undefined, policy: Policy): boolean {
  const { decision: failOn } = failOnOf(server, policy, false);
  return CHECK_DECISIONS.indexOf(decision) >= CHECK_DECISIONS.indexOf(failOn);
}

/**
 * Returns whether a stricter preset has replaced the preset that decided. A level can be lower in the stricter preset:
 * a difference that counts in `strict` although it is a warning is an error in `compatible`.
 */
function isStricterPreset({ preset: was }: Sourced<unknown>, { preset: is }: Sourced<unknown>): boolean {
  return was !== undefined && is !== undefined && PRESET_NAMES.indexOf(is) < PRESET_NAMES.indexOf(was);
}

/** Yields one finding of each kind about which the policies can decide differently. */
function* findingsOf(server: string | undefined, before: Policy, after: Policy): Iterable<DecidedFinding> {
  const own = [before, after].flatMap(({ rules, servers }) => [
    ...Object.keys(rules),
    ...Object.keys(ownMember(servers, server ?? "")?.rules ?? {}),
  ]);
  const preset = PRESET_NAMES.flatMap((name) => Object.keys(PRESETS[name].rules));
  const place = server === undefined ? {} : { server };
  for (const rule of new Set([...own, ...preset, OTHER_RULE])) {
    for (const level of LEVELS) {
      yield { rule, level, place };
      yield { rule, level, place, isRemark: true };
    }
  }
}

function sentence({ check, guard, uncounted, failOn }: Omit<Lowered, "source">): string {
  const parts = [
    failOn,
    check.size > 0 && `a check decides less strictly about ${inWords(check)}`,
    uncounted.size > 0 && check.size === 0 && `remarks of ${inWords(uncounted)} no longer count`,
    guard.size > 0 && `a guard decides less strictly about ${inWords(guard)}`,
  ];
  return parts.filter((part) => part).join("; ");
}

function inWords(rules: ReadonlySet<string>): string {
  const named = [...rules].filter((rule) => rule !== OTHER_RULE).sort();
  const more = named.length - MAX_NAMED;
  const parts = [
    ...named.slice(0, MAX_NAMED),
    ...(more > 0 ? [`${more} more ${more === 1 ? "rule" : "rules"}`] : []),
    ...(rules.has(OTHER_RULE) ? ["every rule that is not named"] : []),
  ];
  return parts.length === 1 ? String(parts[0]) : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

function valueAt(policy: Policy, source: readonly string[]): JsonValue | undefined {
  return source.reduce<JsonValue | undefined>(
    (value, name) => value && ownMember(value as { [name: string]: JsonValue }, name),
    policy as unknown as JsonValue,
  );
}
