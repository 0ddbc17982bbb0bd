import type { JsonChange, JsonObject } from "@agentprint/canonical-json";
import type { NameIndex } from "../signals/find-names.ts";
import type { ProseSignal } from "../signals/prose-signal.ts";
import { signalsBetween } from "../signals/prose-signals.ts";
import { textOf, textsOfItem } from "../signals/texts-of.ts";
import { isDraft } from "./schema-texts.ts";

/** The names that a text may contain without a signal, and all known names. */
export interface KnownNames {
  readonly all: NameIndex;
  /** The server, and the tool that a text is about. */
  readonly own: ReadonlySet<string>;
}

/** Returns those known names that a text about an item may contain: its server's and its own. */
export function knownNames(all: NameIndex, server: string | undefined, ...own: readonly string[]): KnownNames {
  return { all, own: new Set(server === undefined ? own : [server, ...own]) };
}

/** Returns the signals of a changed value: of the text, or of all texts and names in the value. */
export function signalsOf({ before, after }: JsonChange, names: KnownNames, words: boolean): ProseSignal[] {
  const signals = signalsBetween(textOf(before), textOf(after), names.all, words);
  return signals.filter(({ signal, text }) => signal !== "name" || !names.own.has(text));
}

/** Returns the signals as a sentence for a note, or an empty list without signals. */
export function signalNote(signals: readonly ProseSignal[]): string[] {
  if (signals.length === 0) return [];
  const kinds = new Map<ProseSignal["signal"], string[]>();
  for (const { signal, text } of signals) kinds.set(signal, [...(kinds.get(signal) ?? []), text]);
  const words = [...kinds].map(([kind, texts]) =>
    kind === "new-words" ? texts.join() : `${kind.replace("-", " ")} ${texts.join(", ")}`,
  );
  return [`Signals: ${words.join("; ")}`];
}

/**
 * Returns the signals of all texts of a new item, each read separately, without new words. The item's own name counts
 * as known.
 */
export function signalsOfItem(definition: JsonObject, name: string, names: KnownNames): ProseSignal[] {
  const found = new Map<string, ProseSignal>();
  for (const text of new Set(Array.from(textsOfItem(definition), ([, each]) => each))) {
    if (text === name || isDraft(text)) continue;
    for (const signal of signalsOf({ pointer: "", after: text }, names, false))
      found.set(JSON.stringify(signal), signal);
  }
  return [...found.values()].slice(0, MAX_OF_ITEM);
}

/** The maximum number of signals that a note about a complete item lists. */
const MAX_OF_ITEM = 16;
