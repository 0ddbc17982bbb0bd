import { MAX_BASIC_LENGTH } from "../limits.ts";
import type { HiddenText } from "./hidden-text.ts";

const SCHEME = /(?<![\w-])(bearer|basic)[ \t]+(?=[^\t-\r ,])/gi;
/** English words that show, after the name of a scheme, that the text is prose. */
const PROSE = /^(?:tokens?|auth|authentication|authorization|schemes?|headers?|credentials?)$/i;
/** Matches Base64 of at least a user and a colon, but no English word that may follow `Basic`. */
const BASIC_CREDENTIALS = /^(?=.*[A-Z0-9=])[A-Za-z0-9+/_-]{6,}={0,2}$/;

const PRIVATE_KEY = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----((?:[A-Za-z0-9+/=]|[\t-\r ]|\\[nr])+)/g;

/** Hides the credentials after `Bearer` and `Basic` in a text. */
export function hideSchemes(hidden: HiddenText): void {
  for (const { 0: found, 1: scheme = "", index } of hidden.text.matchAll(SCHEME)) {
    const start = index + found.length;
    const end = hidden.endOfRun(start, ",");
    const value = hidden.text.slice(start, Math.min(end, start + MAX_BASIC_LENGTH));
    const isCredential = /^basic$/i.test(scheme) ? BASIC_CREDENTIALS.test(value) : !PROSE.test(value);
    if (isCredential) hidden.hideInert(start, end, ",");
  }
}

/** Hides the lines of private keys in PEM form; line breaks are kept, even if they are escaped. */
export function hidePrivateKeys(hidden: HiddenText): void {
  for (const { 0: found, 1: lines = "", index } of hidden.text.matchAll(PRIVATE_KEY)) {
    const start = index + found.length - lines.length;
    for (const line of lines.matchAll(/[A-Za-z0-9+/=]+/g)) {
      // The letter of `\n` belongs to the line break.
      const escaped = lines[line.index - 1] === "\\" ? 1 : 0;
      hidden.hide(start + line.index + escaped, start + line.index + line[0].length);
    }
  }
}
