import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import { printable } from "@agentprint/canonical-json/text";
import { ITEMS, isHandlingMember, type ListKind, type NumberTexts } from "@agentprint/mcp";
import {
  type DriftFinding,
  type DriftRuleId,
  itemSubject,
  McpLockError,
  offeredByAnswers,
  offeredFindings,
} from "@agentprint/mcp-lock";
import { decide, type GuardDecision, type Policy } from "@agentprint/policy";
import { StepBudget } from "@agentprint/schema-diff";
import { type Locked, LockedWorld, sessionOf } from "./baseline.ts";
import { decideAll, decideItem, highest, ruleIds } from "./decide-item.ts";
import {
  findVarying,
  itemsOf,
  type ListContext,
  NOT_CACHED,
  nameOf,
  UnreadablePage,
  withPinned,
} from "./page-items.ts";
import type { ItemVerdict } from "./verdict.ts";

/** The state with which a page of a list is compared. */
export interface PageContext extends ListContext {
  readonly policy: Policy;
  /** The verdicts from the last listing. */
  readonly known: ReadonlyMap<string, ItemVerdict>;
  /** Unlocked definitions that a policy let through; a later item with the same name is compared with them. */
  readonly passed: ReadonlyMap<string, Locked>;
  /** The verdicts on the items of previous pages. */
  readonly seen: ReadonlyMap<string, ItemVerdict>;
  /** Whether this is the last page, so that unlisted items are gone. */
  readonly isLast: boolean;
}

/** The verdicts on a page. */
export interface JudgedPage {
  /** The verdicts by item name, in the order of the page. */
  readonly verdicts: ReadonlyMap<string, ItemVerdict>;
  /** The result for the client; the same object if nothing was changed. */
  readonly result: JsonObject;
  /** The texts of the numbers in a changed result that a double changes, by pointer in the message. */
  readonly shownNumbers?: NumberTexts;
  /** The ids of the rules of all findings. */
  readonly findings: readonly string[];
  /** The strictest decision on the page and its items. */
  readonly decision: GuardDecision;
}

/** The maximum number of steps for proving that the changed tools on a page may be frozen. */
const MAX_PROOF_STEPS = 4_000_000;

/**
 * Compares a page of a list with the lock, and decides on each item.
 *
 * @throws {@link UnreadablePage} when the result is not a page, or holds an item without a name, an item that was
 * already listed, or a schema that MCP does not allow and that the policy blocks, because official clients would refuse
 * all tools.
 */
export function judgePage(given: JsonObject, context: PageContext): JudgedPage {
  const { kind, world, session, known } = context;
  const { page, numbersOf } = withPinned(given, context);
  const ofVarying = findVarying(given, context);
  const locked = world.baseline(session).items[kind.list];
  const areKnown = context.numbers !== undefined;
  const verdicts = new Map<string, ItemVerdict | undefined>();
  const changed = new Map<string, Live>();
  for (const [index, definition] of itemsOf(page, kind).entries()) {
    const name = nameOf(definition, kind);
    const live = { live: definition, numbers: numbersOf.get(index) };
    const listed = changed.get(name) ?? verdicts.get(name) ?? context.seen.get(name);
    if (listed !== undefined) {
      if (kind.item !== "tool" || !isSameItem(listed, live, areKnown)) throw listedTwice(kind, name);
      continue;
    }
    const before = known.get(name);
    const isVarying = ofVarying.has(name) || before?.findings.includes(VARYING_SIGNAL);
    const isKnown = before !== undefined && !isVarying && isSameItem(before, live, areKnown);
    const same = isKnown ? before : unchanged({ name, ...live }, locked.get(name), areKnown, ofVarying.get(name));
    if (same === undefined) changed.set(name, live);
    verdicts.set(name, same);
  }
  const gone: Locked[] = [];
  if (context.isLast) {
    for (const [name, item] of locked) if (!verdicts.has(name) && !context.seen.has(name)) gone.push(item);
  }
  const findings = compare(page, changed, gone, context);
  if (findings.some((finding) => finding.rule === NOT_ALLOWED && decide(finding, context.policy).guard === "block"))
    throw new UnreadablePage("MCP does not allow a schema of a tool", ruleIds(findings));
  const budget = new StepBudget(MAX_PROOF_STEPS);
  for (const [name, live] of changed) {
    const subject = itemSubject(world.entry.name, kind.item, name);
    const own = [...findings.filter(({ place }) => place.subject === subject), ...(ofVarying.get(name) ?? [])];
    const isVarying = world.entry.varies?.some((member) => member.kind === kind.item && member.name === name) ?? false;
    const item = { name, ...live, locked: locked.get(name) ?? context.passed.get(name), isVarying };
    verdicts.set(name, decideItem(item, own, context.policy, budget));
  }
  const decided = verdicts as ReadonlyMap<string, ItemVerdict>;
  const all = [...decided.values()];
  const ofPage = findings.filter(({ place }) => place.subject === world.entry.name);
  const decisions = new Set([decideAll(ofPage, context.policy)]);
  const rules = new Set(ruleIds(findings));
  for (const { decision, findings: own } of all) {
    decisions.add(decision);
    for (const rule of own) rules.add(rule);
  }
  const result = shownPage(page, all, ofPage, context);
  return {
    verdicts: decided,
    result,
    ...(result !== given && { shownNumbers: numbersOfPage(all, kind) }),
    findings: [...rules],
    decision: highest([...decisions]),
  };
}

function listedTwice({ item }: ListKind, name: string): UnreadablePage {
  return new UnreadablePage(`${ITEMS[item].words} ${printable(JSON.stringify(name))} is listed twice`);
}

const NOT_ALLOWED: DriftRuleId = "mcp/schema-not-allowed";
const VARYING_SIGNAL: DriftRuleId = "mcp/varying-signal";

const NO_FINDINGS: readonly string[] = Object.freeze([]);

/** An item as the server sent it. */
type Live = Pick<ItemVerdict, "live" | "numbers">;

/** Returns whether two items are the same and, if their number texts are known, write their numbers in the same way. */
function isSameItem(one: Live, other: Live, areKnown: boolean): boolean {
  return isSameJson(one.live, other.live) && (!areKnown || isSameJson(one.numbers ?? {}, other.numbers ?? {}));
}

function unchanged(
  { name, ...live }: Live & Pick<ItemVerdict, "name">,
  locked: Locked | undefined,
  areKnown: boolean,
  varying: readonly DriftFinding[] | undefined,
): ItemVerdict | undefined {
  if (locked === undefined) return undefined;
  const { definition, numbers } = locked;
  if (!isSameItem({ live: definition, numbers }, live, areKnown)) return undefined;
  const verdict = { name, live: definition, numbers, locked, shown: definition } as const;
  if (varying === undefined) return { ...verdict, decision: "pass", findings: NO_FINDINGS };
  return { ...verdict, decision: "freeze", findings: ruleIds(varying) };
}

/** Returns the findings about the items that differ from the lock, and about the members next to the items. */
function compare(
  page: JsonObject,
  changed: ReadonlyMap<string, Live>,
  gone: readonly Locked[],
  { kind, world, session: { era, view }, passed, numbers: texts }: PageContext,
): DriftFinding[] {
  const { list } = kind;
  const { snapshot: pinned, items } = world.baseline({ era, view });
  const lockedMembers = isJsonObject(pinned.parts.listMembers) ? pinned.parts.listMembers[list] : undefined;
  const isBare = Object.keys(page).every((name) => name === list || isHandlingMember(name));
  if (isBare && lockedMembers === undefined && changed.size + gone.length === 0) return [];
  const before = [...changed.keys()].flatMap((name) => items[list].get(name) ?? passed.get(name) ?? []);
  const locked = texts === undefined ? before.map(withoutNumbers) : before;
  const pages = [{ ...page, [list]: [...changed.values()].map(({ live }) => live) }];
  const numbers = [...changed.values()].flatMap((live, index) =>
    Object.entries(live.numbers ?? {}).map(([at, text]) => [`/lists/${list}/0/0/${list}/${index}${at}`, text] as const),
  );
  const session = sessionOf(era, { lists: { [list]: [pages] }, numbers: Object.fromEntries(numbers) });
  try {
    const now = offeredByAnswers(session, world.unstable);
    const { serverInfo, listMembers } = now.parts;
    const said = {
      ...(serverInfo !== undefined && { serverInfo: pinned.parts.serverInfo }),
      ...(lockedMembers !== undefined && { listMembers: { [list]: lockedMembers } }),
    };
    const after = { serverInfo, listMembers };
    const old = LockedWorld.snapshot(said, list, [...locked, ...gone]);
    const fresh = LockedWorld.snapshot(after, list, now[list]);
    if (old[list].length + fresh[list].length === 0 && isSameJson(old.parts, fresh.parts)) return [];
    const names = [...world.names, ...(list === "tools" ? changed.keys() : [])];
    return offeredFindings(world.entry.name, old, fresh, names);
  } catch (error) {
    if (!(error instanceof McpLockError)) throw error;
    throw new UnreadablePage(error.code);
  }
}

function withoutNumbers({ numbers: _, ...item }: Locked): Locked {
  return item;
}

/** Returns the texts of the numbers in the items that a changed page shows. */
function numbersOfPage(verdicts: readonly ItemVerdict[], { list }: ListKind): NumberTexts {
  const shown = verdicts.filter((verdict) => verdict.shown !== undefined);
  const numbers = shown.flatMap(({ live, shown, numbers, locked }, index) =>
    Object.entries((shown === live ? numbers : locked?.numbers) ?? {}).map(
      ([pointer, text]) => [`/result/${list}/${index}${pointer}`, text] as const,
    ),
  );
  return Object.fromEntries(numbers);
}

/** Returns the page for the client. Forbids caching a changed page, because it depends on the lock and the policy. */
function shownPage(
  page: JsonObject,
  verdicts: readonly ItemVerdict[],
  ofPage: readonly DriftFinding[],
  { kind, world, policy, session }: PageContext,
): JsonObject {
  const isAsIs = decideAll(ofPage, policy) === "pass";
  if (isAsIs && verdicts.every(({ live, shown }) => live === shown)) return page;
  const members = isAsIs ? page : lockedMembersOf(page, world.baseline(session).snapshot.parts.listMembers, kind);
  const shown = verdicts.flatMap(({ shown: definition }) => definition ?? []);
  return { ...members, [kind.list]: shown, ...(session.era === "modern" && NOT_CACHED) };
}

/** Returns a page's members, except those that differ from the lock. */
function lockedMembersOf(page: JsonObject, listMembers: JsonValue | undefined, { list }: ListKind): JsonObject {
  const locked = isJsonObject(listMembers) ? listMembers[list] : undefined;
  const isLocked = (name: string, value: JsonValue) => isJsonObject(locked) && isSameJson(locked[name], value);
  return Object.fromEntries(
    Object.entries(page).filter(([name, value]) => isHandlingMember(name) || isLocked(name, value)),
  );
}
