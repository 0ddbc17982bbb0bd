import type { Range } from "./references.ts";
import { TOKEN_FORMS, type TokenAlphabet, type TokenForm } from "./token-forms.ts";

/** A token in a text, and the service whose tokens have this form. */
export interface FoundToken extends Range {
  readonly service: string;
}

interface Form {
  readonly service: string;
  readonly prefix: string;
  /** Matches the text after the prefix. */
  readonly rest: RegExp;
}

const ALPHABETS: Readonly<Record<TokenAlphabet, string>> = {
  alnum: "A-Za-z0-9",
  upper: "A-Z0-9",
  hex: "A-Fa-f0-9",
  word: "\\w-",
  dotted: "\\w.-",
  base64: "\\w+/=.-",
};
/** Tokens that are recognized by their structure instead of a prefix. */
const STRUCTURED: readonly (readonly [service: string, form: RegExp])[] = [
  ["JSON Web Token", /(?<!-)eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/y],
  ["Airtable", /pat[A-Za-z0-9]{14}\.[a-f0-9]{32,}/y],
  ["Telegram", /\d{8,10}:AA[\w-]{32,}/y],
  ["Discord", /[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,}/y],
  ["Azure", /[\w~.]{3}\dQ~[\w~.-]{31,}/y],
  ["Terraform", /[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}/y],
];
/** Matches text that is rarely part of a package's name: 20 letters and digits in a row, or three digits. */
const RANDOM = String.raw`(?=[\w-]{0,100}?[A-Za-z0-9]{20}|(?:[A-Za-z_-]{0,40}\d){3})`;
/** A token begins a word; a percent-encoded or escaped character before it is not part of the word. */
const WORD_START = /(?<![A-Za-z0-9_])[A-Za-z0-9]|(?<=%[0-9A-Fa-f]{2}|\\[nrt]|\\u[0-9A-Fa-f]{4})[A-Za-z0-9]/g;

let formsByStart: ReadonlyMap<string, readonly Form[]> | undefined;

/**
 * Returns the forms whose prefixes begin with the given character. The first call compiles about a hundred expressions
 * for them.
 */
function formsThatStartWith(character: string): readonly Form[] {
  formsByStart ??= groupByStart(TOKEN_FORMS.flatMap(formsOf));
  return formsByStart.get(character) ?? [];
}

function groupByStart(forms: readonly Form[]): Map<string, Form[]> {
  const groups = new Map<string, Form[]>();
  for (const form of forms) {
    const start = form.prefix.charAt(0);
    groups.set(start, [...(groups.get(start) ?? []), form]);
  }
  return groups;
}

/** Yields the tokens of well-known forms in a text, in order. */
export function* findTokens(text: string): Generator<FoundToken> {
  let end = 0;
  for (const { index } of text.matchAll(WORD_START)) {
    if (index < end) continue;
    const token = tokenAt(text, index);
    if (!token) continue;
    yield token;
    end = token.end;
  }
}

function tokenAt(text: string, start: number): FoundToken | undefined {
  for (const { service, prefix, rest } of formsThatStartWith(text.charAt(start))) {
    if (!text.startsWith(prefix, start)) continue;
    const found = matchAt(rest, text, start + prefix.length);
    if (found !== undefined) return { service, start, end: start + prefix.length + found.length };
  }
  for (const [service, form] of STRUCTURED) {
    const found = matchAt(form, text, start);
    if (found !== undefined) return { service, start, end: start + found.length };
  }
  return undefined;
}

function matchAt(form: RegExp, text: string, start: number): string | undefined {
  form.lastIndex = start;
  return form.exec(text)?.[0];
}

function formsOf({ service, prefixes, alphabet, length, ambiguous }: TokenForm): Form[] {
  const rest = new RegExp(`${ambiguous ? RANDOM : ""}[${ALPHABETS[alphabet]}]{${length},}`, "y");
  return prefixes.split(" ").map((prefix) => ({ service, prefix, rest }));
}
