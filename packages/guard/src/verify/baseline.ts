import { hashCanonical } from "@agentprint/canonical-json";
import type { JsonObject, JsonValue } from "@agentprint/canonical-json/json-value";
import {
  type Era,
  type ItemKind,
  LISTS,
  type ListName,
  type NumberTexts,
  type SessionAnswers,
  type View,
} from "@agentprint/mcp";
import {
  fingerprintTool,
  type LockedItem,
  type LockedServer,
  type LockedTool,
  type LockFile,
  type Offered,
  offeredByLock,
  type PinnedValues,
  pinnedValuesOf,
} from "@agentprint/mcp-lock";
import { GuardError } from "../errors.ts";
import { hiddenTextsIn } from "../results/screen.ts";

/** An item in a lock. */
export type Locked = LockedTool | LockedItem;

/** The locked state of a server for one view of clients in one era. */
export interface Baseline {
  readonly snapshot: Offered;
  /** The items of each list, by name. */
  readonly items: Readonly<Record<ListName, ReadonlyMap<string, Locked>>>;
}

/** A client's era and view. */
export interface SessionKind {
  readonly era: Era;
  readonly view: View;
}

/** The locked state of a server. */
export class LockedWorld {
  readonly entry: LockedServer;
  /** The names of all servers and tools in the lock; a changed text that mentions one of them has a signal. */
  readonly names: readonly string[];
  /** The values that clients see in place of varying ones. */
  readonly pinned: PinnedValues;
  readonly #baselines = new Map<string, Baseline>();
  #hiddenTexts: ReadonlySet<string> | undefined;

  /** @throws {@link GuardError} `not-locked` when the lock has no entry for the server. */
  constructor(lock: LockFile, server: string) {
    const entry = lock.servers.find(({ name }) => name === server);
    if (entry === undefined) throw new GuardError("not-locked", `expected an entry for "${server}" in the lock`);
    this.entry = entry;
    this.pinned = pinnedValuesOf(entry);
    const tools = lock.servers.flatMap((each) => each.tools.map(({ definition }) => textAt(definition, "name")));
    this.names = [...new Set([...lock.servers.map(({ name }) => name), ...tools])];
  }

  /** Returns the pointers of members that may differ between readings. */
  get unstable(): readonly string[] {
    return this.entry.unstable ?? [];
  }

  /** Returns the texts in the entry that contain invisible characters, which the person who approved the entry saw. */
  get hiddenTexts(): ReadonlySet<string> {
    this.#hiddenTexts ??= hiddenTextsIn(this.entry as unknown as JsonValue);
    return this.#hiddenTexts;
  }

  baseline({ era, view }: SessionKind): Baseline {
    const key = `${era}/${view}`;
    const known = this.#baselines.get(key);
    if (known) return known;
    const snapshot = offeredByLock(this.entry, era, view);
    const byName = LISTS.map(({ list, key }): [ListName, ReadonlyMap<string, Locked>] => [
      list,
      new Map(snapshot[list].map((item: Locked) => [textAt(item.definition, key), item])),
    ]);
    const baseline = { snapshot, items: Object.fromEntries(byName) as Baseline["items"] };
    this.#baselines.set(key, baseline);
    return baseline;
  }

  /**
   * Returns whether nothing of a resource was pinned because the list of resources failed; a tool's user interface is
   * pinned by its own name.
   */
  isUnreadResource(uri: string, session: SessionKind): boolean {
    const { unread } = this.baseline(session).snapshot.parts;
    if (!Array.isArray(unread) || !unread.includes("resources")) return false;
    return !this.entry.contents.some(({ definition }) => definition["name"] === `ui ${uri}`);
  }

  /** Returns a snapshot of these parts, and of these items of a single list. */
  static snapshot(
    parts: Readonly<Record<string, JsonValue | undefined>>,
    list?: ListName,
    items: readonly Locked[] = [],
  ): Offered {
    const said = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
    return { ...NOTHING, parts: said, ...(list && { [list]: items }) } as Offered;
  }
}

/** Returns a session's answers that are judged immediately. */
export function sessionOf(
  era: Era,
  said: Partial<Pick<SessionAnswers, "greetings" | "lists" | "numbers">>,
): SessionAnswers {
  return { era, view: "client", protocolVersion: "", greetings: [], lists: {}, contents: [], ...said };
}

/** Returns the name of an item. Every item in a lock has a name. */
function textAt(definition: JsonObject, key: string): string {
  const name = definition[key];
  return typeof name === "string" ? name : "";
}

const NOTHING: Omit<Offered, "parts"> = { tools: [], prompts: [], resources: [], resourceTemplates: [], contents: [] };

/** Returns the digest of an item's definition. */
export function digestOf(item: Locked): string {
  return "digest" in item ? item.digest : item.digests.wire;
}

/** Returns an item in the form that a lock stores. */
export function fingerprintLocked(kind: ItemKind, definition: JsonObject, numbers?: NumberTexts): Locked {
  const digests = kind === "tool" ? { digests: fingerprintTool(definition) } : { digest: hashCanonical(definition) };
  return { definition, ...digests, ...(numbers && { numbers }) };
}
