import { printable } from "@agentprint/canonical-json";
import { count } from "@agentprint/findings";
import { ITEMS, type ItemKind, itemName } from "@agentprint/mcp";
import type { SignalKind } from "@agentprint/tool-pins/judgement";
import { isDraft, NameIndex, newElements, textsOfItem } from "@agentprint/tool-pins/judgement";
import { checkArgument, LOCK } from "../check-argument.ts";
import { itemsOfEntry, type LockedServer, type LockFile } from "../lock/lock.ts";
import { byRule } from "./by-rule.ts";
import { type DriftFinding, itemSubject } from "./finding.ts";
import { inReaderOrder } from "./reader-order.ts";

/** Kinds of items whose texts a model reads without requesting them. */
const READ_KINDS: readonly ItemKind[] = ["tool", "prompt", "resource", "resourceTemplate"];

/** The subjects of the notes, in their order. Invisible characters have their own rule. */
const GROUPS: readonly (readonly [says: string, signals: readonly SignalKind[]])[] = [
  ["name other tools or servers", ["name"]],
  ["have paths", ["path"]],
  ["name environment variables", ["environment-variable"]],
  ["have markup or delimiters", ["markup"]],
  ["have encoded data", ["encoded"]],
  ["have addresses", ["url", "host", "email"]],
];

/**
 * The maximum number of elements that a note lists: those in the fewest texts, and those in the most, which decoys
 * cannot hide.
 */
const [MAX_RARE, MAX_COMMON] = [3, 2];
const MAX_ELEMENT_LENGTH = 60;
const MAX_PLACE_LENGTH = 100;

/**
 * Returns notes about the elements in servers' unreviewed texts that instructions to a model would need. There is at
 * most one note for each server and kind of element. Its length does not depend on the number of tools: it counts the
 * texts, and lists the elements that are in the fewest and in the most of them. A note says where to look, not that a
 * text is hostile.
 *
 * @param lock The servers
 * @param names Further names of servers and tools, which also count as elements
 * @param replaced The names of servers whose entry replaces another one
 * @throws {@link McpLockError} `invalid-definition`, as the other functions that read a lock do
 * @example
 * ```ts
 * import { createLock } from "@agentprint/mcp-lock";
 * import { firstVersionSignals } from "@agentprint/mcp-lock/rules";
 *
 * console.log(firstVersionSignals(createLock({}))); // []
 * ```
 */
export function firstVersionSignals(
  lock: LockFile,
  names: readonly string[] = [],
  replaced: readonly string[] = [],
): DriftFinding[] {
  checkArgument("lock", lock, LOCK);
  checkArgument("names", names, ["string"]);
  checkArgument("replaced", replaced, ["string"]);
  const known = new NameIndex([
    ...lock.servers.flatMap(({ name, tools }) => [
      name,
      ...tools.map(({ definition }) => itemName("tool", definition)),
    ]),
    ...names,
  ]);
  return lock.servers.flatMap((server) => findingsOfServer(server, known, replaced.includes(server.name)));
}

/** The texts that have an element. */
interface Seen {
  /** The place of the first such text. */
  readonly place: string;
  texts: number;
}

function findingsOfServer(server: LockedServer, known: NameIndex, isReplaced: boolean): DriftFinding[] {
  const version = isReplaced ? "the version that replaces the pinned one" : "this first version";
  const groups = GROUPS.map(() => ({ texts: 0, elements: new Map<string, Seen>() }));
  for (const { text, place, own } of textsOfServer(server)) {
    const found = new Map(newElements("", text, known));
    GROUPS.forEach(([, signals], index) => {
      const elements = signals.flatMap((signal) => found.get(signal) ?? []).filter((element) => !own.has(element));
      const group = groups[index] as (typeof groups)[number];
      if (elements.length > 0) group.texts++;
      for (const element of new Set(elements)) {
        const seen = group.elements.get(element);
        if (seen === undefined) group.elements.set(element, { place, texts: 1 });
        else seen.texts++;
      }
    });
  }
  const findings = groups.flatMap(({ texts, elements }, index): DriftFinding[] => {
    const [says] = GROUPS[index] as (typeof GROUPS)[number];
    if (texts === 0) return [];
    const message = `${count(texts, "text")} of ${version} ${texts === 1 ? singular(says) : says}`;
    const place = { subject: server.name, server: server.name };
    return [{ ...byRule("mcp/first-version-signal", message), place, note: listOf(elements), isRemark: true }];
  });
  return inReaderOrder([{ findings }]);
}

function singular(says: string): string {
  return says.replace(/^have\b/, "has").replace(/^name\b/, "names");
}

function listOf(elements: ReadonlyMap<string, Seen>): string {
  const sorted = [...elements].sort(([, one], [, other]) => one.texts - other.texts);
  const listed =
    sorted.length <= MAX_RARE + MAX_COMMON
      ? sorted
      : [...sorted.slice(0, MAX_RARE), ...sorted.slice(-MAX_COMMON).reverse()];
  const shown = listed.map(([element, { place, texts }]) => {
    const others = texts > 1 ? ` and ${count(texts - 1, "other text")}` : "";
    return `${printable(element, MAX_ELEMENT_LENGTH)} (${printable(place, MAX_PLACE_LENGTH)}${others})`;
  });
  const more = sorted.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

/** A text that a model reads, with its place and the names that it may contain. */
interface ReadText {
  readonly text: string;
  readonly place: string;
  readonly own: ReadonlySet<string>;
}

function* textsOfServer(server: LockedServer): Generator<ReadText> {
  const uris = READ_KINDS.filter((kind) => ITEMS[kind].key !== "name").flatMap((kind) =>
    itemsOfEntry(server, kind).map(({ definition }) => itemName(kind, definition)),
  );
  const read = new Set<string>();
  for (const kind of READ_KINDS) {
    for (const { definition } of itemsOfEntry(server, kind)) {
      const name = itemName(kind, definition);
      const own = new Set([server.name, name, ...uris]);
      const subject = itemSubject("", kind, name).replace(/^ › /, "");
      for (const [pointer, text] of textsOfItem(definition)) {
        // A name has several definitions if sessions received different definitions.
        const key = JSON.stringify([kind, name, pointer, text]);
        if (own.has(text) || read.has(key) || isDraft(text)) continue;
        read.add(key);
        yield { text, place: `${subject} at ${pointer}`, own };
      }
    }
  }
  // A server that describes itself names its own tools.
  const own = new Set([server.name, ...uris, ...server.tools.map(({ definition }) => itemName("tool", definition))]);
  for (const { part, value } of server.parts) {
    if (part === "capabilities") continue;
    for (const [pointer, text] of textsOfItem(value)) {
      const key = JSON.stringify([part, pointer, text]);
      if (read.has(key)) continue;
      read.add(key);
      yield { text, place: `/${part}${pointer}`, own };
    }
  }
}
