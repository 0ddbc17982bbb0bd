import { hideValue, type SearchedText } from "./hide-values.ts";
import { kindOfName } from "./secret-names.ts";

const FLAG = /(?<![^\t-\r "'(;&|])--?([A-Za-z][\w.-]{0,127})[ \t]+(?=[^\t-\r ])/g;

/** Returns whether an argument is a flag rather than a value: `--verbose`, `-v`, `-rf`, `-Dname=value`, `--`. */
export function isFlag(argument: string): boolean {
  return /^(?:--|--[A-Za-z][\w.-]*(?:=.*)?|-[A-Za-z]{1,2}|-[A-Za-z][\w.-]*=[^=].*)$/s.test(argument);
}

/** Hides the values of flags with secret names in a text of several words, such as a shell's command line. */
export function hideFlagValues(searched: SearchedText): void {
  const { text } = searched.hidden;
  let hiddenUntil = 0;
  for (const { 0: found, 1: name = "", index } of text.matchAll(FLAG)) {
    const kind = kindOfName(name);
    if (!kind || index < hiddenUntil) continue;
    const value = index + found.length;
    const word = text.slice(value, searched.hidden.endOfRun(value));
    if (!isFlag(word)) hiddenUntil = hideValue(searched, value, name, kind);
  }
}
