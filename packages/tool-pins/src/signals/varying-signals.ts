import type { JsonValue } from "@agentprint/canonical-json";
import type { NameIndex } from "./find-names.ts";
import type { ProseSignal } from "./prose-signal.ts";
import { listed, newElements } from "./prose-signals.ts";
import { textOf } from "./texts-of.ts";
import { unicodeExpression } from "./unicode-expression.ts";

/**
 * Returns the signals of a varying value that the pinned value does not have. New words do not count, and neither does
 * anything that differs between two starts of one program: a port, a number, an identifier with digits, a temporary
 * folder, an encoded token.
 *
 * @param own The names that the value may contain: those of its server and its item.
 */
export function varyingSignals(
  pinned: JsonValue,
  live: JsonValue,
  names: NameIndex,
  own: ReadonlySet<string>,
): ProseSignal[] {
  const [then, now] = [textOf(pinned) ?? "", textOf(live) ?? ""];
  if (then === now) return [];
  const found = newElements(then, now, names, { url: formOfUrl, path: formOfPath, encoded: () => "" });
  const signals = found.flatMap(([signal, texts]) => listed(signal, texts));
  return signals.filter(({ signal, text }) => signal !== "name" || !own.has(text));
}

/** The scheme and host of an address without user information, and the rest of the address. */
const URL = /^([a-z][a-z0-9+.-]*:\/\/[^/?#:@]+)([^@]*)$/is;
/** Words with a digit. */
const NUMBERED = unicodeExpression("\\p{L}*\\p{N}[\\p{L}\\p{N}]*", "gu");

function formOfUrl(url: string): string {
  const [, host, rest = ""] = URL.exec(url) ?? [];
  return host === undefined ? url : `${host.toLowerCase()}${rest.replace(NUMBERED(), "0")}`;
}

/** The operating systems' folders for temporary files. */
const TEMPORARY =
  /^(?:\/private)?(?:\/tmp|\/var\/tmp|\/var\/folders)\/|^[a-z]:[/\\]users[/\\][^/\\]+[/\\]appdata[/\\]local[/\\]temp[/\\]/i;

function formOfPath(path: string): string {
  const [folder] = path.includes("..") ? [] : (TEMPORARY.exec(path) ?? []);
  return folder === undefined ? path.replace(NUMBERED(), "0") : folder.toLowerCase();
}
