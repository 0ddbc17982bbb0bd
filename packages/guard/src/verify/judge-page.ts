import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import { printable } from "@agentprint/canonical-json/text";
import { type Era, ITEMS, isHandlingMember, type ListKind } from "@agentprint/mcp";
import {
  type DriftFinding,
  type DriftRuleId,
  itemSubject,
  McpLockError,
  offeredByAnswers,
  offeredFindings,
  varyingFindings,
} from "@agentprint/mcp-lock";
import { decide, type GuardDecision, type Policy } from "@agentprint/policy";
import { StepBudget } from "@agentprint/schema-diff";
import { nameFault } from "../read/read-shape.ts";
import { type Locked, LockedWorld, sessionOf } from "./baseline.ts";
import { decideAll, decideItem, highest, ruleIds } from "./decide-item.ts";
import type { ItemVerdict } from "./verdict.ts";

/** The state that a page of a list is compared with. */
export interface PageContext {
  readonly world: LockedWorld;
  readonly policy: Policy;
  readonly era: Era;
  readonly kind: ListKind;
  /** The verdicts of the last listing. */
  readonly known: ReadonlyMap<string, ItemVerdict>;
  /** Unlocked definitions that a policy let through: a later item of such a name is compared with them. */
  readonly passed: ReadonlyMap<string, Locked>;
  /** The verdicts on the items of the previous pages. */
  readonly seen: ReadonlyMap<string, ItemVerdict>;
  /** Whether no page follows, so that unlisted items are gone. */
  readonly isLast: boolean;
}

/** The verdicts on a page. */
export interface JudgedPage {
  /** The verdicts by item name, in the order of the page. */
  readonly verdicts: ReadonlyMap<string, ItemVerdict>;
  /** The result for the client; the same object where nothing is changed. */
  readonly result: JsonObject;
  /** The ids of the rules of all findings. */
  readonly findings: readonly string[];
  /** The strictest decision about the page and its items. */
  readonly decision: GuardDecision;
}

/** A page of a list that cannot be read, or that clients cannot read. */
export class UnreadablePage extends Error {
  /** The ids of the rules by which the page is refused. */
  readonly findings: readonly string[];

  constructor(reason: string, findings: readonly string[] = []) {
    super(reason);
    this.findings = findings;
  }
}

/** The most steps of proving that the changed tools of one page may be frozen. */
const MAX_PROOF_STEPS = 4_000_000;

/**
 * Compares a page of a list with the lock, and decides about each item.
 *
 * @throws {@link UnreadablePage} when the page is no page, holds an item without a name or one that was listed already,
 * or a schema that MCP does not allow and that the policy blocks: official clients refuse all tools for it.
 */
export function judgePage(given: JsonObject, context: PageContext): JudgedPage {
  const { kind, world, era, known } = context;
  const page = withPinned(given, context);
  const ofVarying = findVarying(given, context);
  const locked = world.baseline(era).items[kind.list];
  const verdicts = new Map<string, ItemVerdict | undefined>();
  const changed = new Map<string, JsonObject>();
  for (const live of itemsOf(page, kind)) {
    const name = nameOf(live, kind);
    const listed = changed.get(name) ?? (verdicts.get(name) ?? context.seen.get(name))?.live;
    if (listed !== undefined) {
      if (kind.item !== "tool" || !isSameJson(listed, live)) throw listedTwice(kind, name);
      continue;
    }
    const before = known.get(name);
    const isVarying = ofVarying.has(name) || before?.findings.includes(VARYING_SIGNAL);
    const isKnown = before !== undefined && !isVarying && isSameJson(before.live, live);
    const same = isKnown ? before : unchanged(name, live, locked.get(name), ofVarying.get(name));
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
    const item = { name, live, locked: locked.get(name) ?? context.passed.get(name), isVarying };
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
  return {
    verdicts: decided,
    result: shownPage(page, all, ofPage, context),
    findings: [...rules],
    decision: highest([...decisions]),
  };
}

function listedTwice({ item }: ListKind, name: string): UnreadablePage {
  return new UnreadablePage(`${ITEMS[item].words} ${printable(JSON.stringify(name))} is listed twice`);
}

const NOT_ALLOWED: DriftRuleId = "mcp/schema-not-allowed";
const VARYING_SIGNAL: DriftRuleId = "mcp/varying-signal";

/** Returns the page with the pinned value of each member that varies; the same object where no value differs. */
function withPinned(page: JsonObject, { kind, world, era }: PageContext): JsonObject {
  if (kind.item === "resourceTemplate" || world.entry.varies === undefined) return page;
  const items = itemsOf(page, kind);
  const { item } = kind;
  const shown = items.map((live) => world.pinned.item(item, nameOf(live, kind), live));
  if (shown.every((definition, index) => definition === items[index])) return page;
  return { ...page, [kind.list]: shown, ...(era === "modern" && NOT_CACHED) };
}

/** Returns the findings on the values that the pinned ones take the place of, by the names of the items. */
function findVarying(
  page: JsonObject,
  { kind, world, era }: PageContext,
): ReadonlyMap<string, readonly DriftFinding[]> {
  const { item, list } = kind;
  if (item === "resourceTemplate" || world.entry.varies === undefined) return new Map();
  const items = itemsOf(page, kind).map((live) => nameOf(live, kind));
  const names = [...world.names, ...(list === "tools" ? items : [])];
  const bySubject = new Map<string, DriftFinding[]>();
  for (const finding of varyingFindings(
    world.entry,
    { sessions: [sessionOf(era, { lists: { [list]: [[page]] } })] },
    names,
  )) {
    bySubject.set(finding.place.subject, [...(bySubject.get(finding.place.subject) ?? []), finding]);
  }
  return new Map(
    items.flatMap((name) => {
      const own = bySubject.get(itemSubject(world.entry.name, item, name));
      return own ? [[name, own]] : [];
    }),
  );
}

function itemsOf(page: JsonObject, { list }: ListKind): readonly JsonObject[] {
  const items = page[list];
  if (!Array.isArray(items)) throw new UnreadablePage(`a page has an array of ${list}`);
  for (const item of items) {
    if (!isJsonObject(item)) throw new UnreadablePage("an item is an object");
    const { annotations } = item;
    const fault = nameFault(item) ?? (isJsonObject(annotations) ? nameFault(annotations) : undefined);
    if (fault) throw new UnreadablePage(fault.reason);
  }
  return items as JsonObject[];
}

function nameOf(item: JsonObject, { key }: ListKind): string {
  const name = item[key];
  if (typeof name !== "string") throw new UnreadablePage(`an item has a string as ${key}`);
  return name;
}

const NO_FINDINGS: readonly string[] = Object.freeze([]);

function unchanged(
  name: string,
  live: JsonObject,
  locked: Locked | undefined,
  varying: readonly DriftFinding[] | undefined,
): ItemVerdict | undefined {
  if (locked === undefined || !isSameJson(locked.definition, live)) return undefined;
  const { definition } = locked;
  const verdict = { name, live: definition, locked, shown: definition } as const;
  if (varying === undefined) return { ...verdict, decision: "pass", findings: NO_FINDINGS };
  return { ...verdict, decision: "freeze", findings: ruleIds(varying) };
}

/** Returns the findings about the items that differ from the lock, and about the members beside the items. */
function compare(
  page: JsonObject,
  changed: ReadonlyMap<string, JsonObject>,
  gone: readonly Locked[],
  { kind, world, era, passed }: PageContext,
): DriftFinding[] {
  const { list } = kind;
  const { snapshot: pinned, items } = world.baseline(era);
  const lockedMembers = isJsonObject(pinned.parts.listMembers) ? pinned.parts.listMembers[list] : undefined;
  const isBare = Object.keys(page).every((name) => name === list || isHandlingMember(name));
  if (isBare && lockedMembers === undefined && changed.size + gone.length === 0) return [];
  const locked = [...changed.keys()].flatMap((name) => items[list].get(name) ?? passed.get(name) ?? []);
  const pages = [{ ...page, [list]: [...changed.values()] }];
  const session = sessionOf(era, { lists: { [list]: [pages] } });
  try {
    const now = offeredByAnswers(session, world.unstable);
    const { serverInfo, listMembers } = now.parts;
    const before = {
      ...(serverInfo !== undefined && { serverInfo: pinned.parts.serverInfo }),
      ...(lockedMembers !== undefined && { listMembers: { [list]: lockedMembers } }),
    };
    const after = { serverInfo, listMembers };
    const old = LockedWorld.snapshot(before, list, [...locked, ...gone]);
    const fresh = LockedWorld.snapshot(after, list, now[list]);
    if (old[list].length + fresh[list].length === 0 && isSameJson(old.parts, fresh.parts)) return [];
    const names = [...world.names, ...(list === "tools" ? changed.keys() : [])];
    return offeredFindings(world.entry.name, old, fresh, names);
  } catch (error) {
    if (!(error instanceof McpLockError)) throw error;
    throw new UnreadablePage(error.code);
  }
}

/** The members that forbid caching. */
const NOT_CACHED = { ttlMs: 0, cacheScope: "private" } as const;

/** Returns the page for the client. Forbids caching a changed page, which depends on the lock and the policy. */
function shownPage(
  page: JsonObject,
  verdicts: readonly ItemVerdict[],
  ofPage: readonly DriftFinding[],
  { kind, world, policy, era }: PageContext,
): JsonObject {
  const isAsIs = decideAll(ofPage, policy) === "pass";
  if (isAsIs && verdicts.every(({ live, shown }) => live === shown)) return page;
  const members = isAsIs ? page : lockedMembersOf(page, world.baseline(era).snapshot.parts.listMembers, kind);
  const shown = verdicts.flatMap(({ shown: definition }) => definition ?? []);
  return { ...members, [kind.list]: shown, ...(era === "modern" && NOT_CACHED) };
}

/** Returns the members of a page without those that differ from the lock. */
function lockedMembersOf(page: JsonObject, listMembers: JsonValue | undefined, { list }: ListKind): JsonObject {
  const locked = isJsonObject(listMembers) ? listMembers[list] : undefined;
  const isLocked = (name: string, value: JsonValue) => isJsonObject(locked) && isSameJson(locked[name], value);
  return Object.fromEntries(
    Object.entries(page).filter(([name, value]) => isHandlingMember(name) || isLocked(name, value)),
  );
}
