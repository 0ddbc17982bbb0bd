import { isJsonObject, type JsonChange, type JsonValue } from "@agentprint/canonical-json";
import type { NameIndex } from "../signals/find-names.ts";
import type { ProseSignal } from "../signals/prose-signal.ts";
import { proseSignals } from "../signals/prose-signals.ts";

/** The names that a text may hold without a signal, and all names that are known. */
export interface KnownNames {
  readonly all: NameIndex;
  /** The server, and the tool that a text is about. */
  readonly own: ReadonlySet<string>;
}

/** The signals of a changed value: of a text, or of all texts and names in it. */
export function signalsOf({ before, after }: JsonChange, names: KnownNames, words = true): ProseSignal[] {
  const signals = proseSignals(textOf(before), textOf(after), { names: names.all, words });
  return signals.filter(({ signal, text }) => signal !== "name" || !names.own.has(text));
}

/** Signals as a sentence of a note; none where there is no signal. */
export function signalNote(signals: readonly ProseSignal[]): string[] {
  if (signals.length === 0) return [];
  const words = signals.map(({ signal, text }) =>
    signal === "new-words" ? text : `${signal.replace("-", " ")} ${text}`,
  );
  return [`Signals: ${words.join("; ")}`];
}

function textOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  const texts: string[] = [];
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === "string") texts.push(next);
    if (isJsonObject(next)) texts.push(...Object.keys(next));
    if (typeof next === "object" && next !== null) for (const member of Object.values(next)) open.push(member);
  }
  return texts.join("\n");
}
