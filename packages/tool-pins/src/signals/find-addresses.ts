import { unicodeExpression } from "./unicode-expression.ts";

/** The URLs, hosts, e-mail addresses and paths in a text, each as written. */
export interface Addresses {
  readonly url: Set<string>;
  readonly host: Set<string>;
  readonly email: Set<string>;
  readonly path: Set<string>;
}

const URL_START = /[a-z][a-z0-9+.-]{1,31}:\/\/|(?:data|javascript|vbscript):(?=.)/i;

/** File extensions that are not top-level domains: `package.json` is not a host. */
const FILE_END =
  /^(?:json[c5]?|[cm]?[jt]s|[jt]sx|ya?ml|txt|[ct]sv|x?html|htm|s?css|xml|pdf|rtf|docx?|xlsx?|pptx?|od[pst]|epub|png|jpe?g|gif|svg|webp|ico|log|lock|toml|ini|cfg|conf|exe|dll|bin|tar|t?gz|sql|db|sqlite|ipynb|wasm|bak|tmp|mp[34]|wav)$/;
/** File extensions that are also top-level domains. */
const OTHER_FILE_END = /^(?:md|py|sh|rs|go|c|h|cpp|java|rb|php|zip|so|pl|mov|app)$/;
/** The top-level folders of operating systems. */
const FOLDER =
  /^(?:applications|s?bin|boot|data|dev|documents|downloads|etc|home|lib(?:rary)?|media|mnt|opt|private|proc|root|run|srv|sys(?:tem)?|tmp|users?|usr|var|volumes|windows)$/;

const HOST = unicodeExpression("^(?:[\\p{L}\\p{N}-]{1,63}\\.)+(?:\\p{L}{2,63}|[Xx][Nn]--[A-Za-z0-9-]{1,59})$");
/** `/etc`, `~/x`, `./x`, `../x`, `C:\x`, `\\host\x`, `$HOME/x`, `%TEMP%\x`. */
const PATH_START = unicodeExpression(
  "^(?:(?:~[\\w-]*|\\.{1,2}|\\$\\w+|%\\w+%|[a-z]:)[/\\\\]|/|\\\\\\\\)[/\\\\]*[\\p{L}\\p{N}._~*@-]",
  "iu",
);
const HIDDEN_FILE = unicodeExpression("^\\.(\\p{L}[\\w-]*)");
/** Two or more names. */
const PATH = unicodeExpression("^(?:[\\p{L}\\p{N}._@~*-]+[/\\\\])+[\\p{L}\\p{N}._@~*-]+$");
const EXTENSION = unicodeExpression("[\\p{L}\\p{N}]\\.\\w{1,8}$");

const MAX_HOST_LENGTH = 253;
const GROUPS_OF_IPV6 = 8;
/** The minimum number of slashes in a path of words; `read/write/list` are alternatives. */
const SEPARATORS_OF_PATH = 3;
const MAX_QUOTED_LENGTH = 32;

/** Finds the addresses in a text. */
export function findAddresses(text: string): Addresses {
  const found = { url: new Set<string>(), host: new Set<string>(), path: new Set<string>(), email: new Set<string>() };
  // Words without white space, quotes and brackets.
  for (const { 0: chunk, index } of text.matchAll(/[^\s"'`<>()[\]{},;|]+/g)) {
    // The end of a tag: </name>.
    if (chunk.startsWith("/") && text.charAt(index - 1) === "<") continue;
    const word = trim(chunk);
    if (word.startsWith("/") && continuesAlternatives(word, text.slice(Math.max(0, index - MAX_QUOTED_LENGTH), index)))
      continue;
    const kind = kindOf(word, text.charAt(index + chunk.length) === "(");
    if (kind === "url") found.url.add(word.slice(word.search(URL_START)));
    else if (kind === "host") found.host.add(hostPart(word).toLowerCase());
    else if (kind !== undefined) found[kind].add(word);
  }
  // An IPv6 address in brackets, not a list slice.
  for (const [address, inside = ""] of text.matchAll(/(?<![\w)\]])\[([0-9a-f:.]{2,45})\]/gi)) {
    if (inside.includes("::") || inside.split(":").length === GROUPS_OF_IPV6) found.host.add(address.toLowerCase());
  }
  return found;
}

function kindOf(word: string, isCalled: boolean): keyof Addresses | undefined {
  if (URL_START.test(word)) return "url";
  const at = word.lastIndexOf("@");
  if (at > 0 && isHost(word.slice(at + 1))) return "email";
  const isVariable = /^(?:process\.env|import\.meta\.env|os\.environ)\b/.test(word);
  if (!isCalled && !isVariable && isHost(hostPart(word))) return "host";
  return isPath(word) ? "path" : undefined;
}

/** Returns the part of a word before a port or a path. */
function hostPart(word: string): string {
  return word.replace(/(?::\d{1,5})?(?:[/?#].*)?$/s, "");
}

function isHost(text: string): boolean {
  if (text.toLowerCase() === "localhost") return true;
  if (text.length > MAX_HOST_LENGTH) return false;
  if (/^(?:\d{1,3}\.){3}\d{1,3}$/.test(text)) return true;
  const last = text.slice(text.lastIndexOf(".") + 1);
  return HOST().test(text) && !FILE_END.test(last.toLowerCase());
}

function isPath(word: string): boolean {
  // Numbers alone, as in `1/2/3/4` or `/2` after a bracket, name no file. `$19/mo` and `$5/user/month` are prices.
  const numbersOrPrice =
    /^[\d/]+$|^\$\d+(?:\.\d+)?(?:\/(?:mo|month|y|yr|year|week|day|h|hr|hour|min|minute|user|seat|call|request|page|GB|MB))+$/i;
  if (numbersOrPrice.test(word)) return false;
  if (PATH_START().test(word)) return true;
  const segments = word.split(/[/\\]/);
  const hidden = HIDDEN_FILE().exec(word)?.[1]?.toLowerCase();
  if (hidden !== undefined && (segments.length > 1 || !(FILE_END.test(hidden) || OTHER_FILE_END.test(hidden))))
    return true;
  if (!PATH().test(word)) return false;
  return (segments.length > SEPARATORS_OF_PATH && !areAlternatives(segments)) || EXTENSION().test(word);
}

/**
 * Returns whether a word that begins with a slash continues alternatives, the first of which is before it in quotes or
 * brackets, as in "`read`/create/update". Such a word is not a path.
 */
function continuesAlternatives(word: string, before: string): boolean {
  const first = /(?<![\w$%~./\\])["'`<([{]([A-Za-z][a-z]+)["'`>)\]}]$/.exec(before)?.[1];
  return first !== undefined && areAlternatives([first, ...word.split("/").slice(1)]);
}

/** Returns whether segments can be further alternatives, which are words of letters that name no top-level folder. */
function areAlternatives(segments: readonly string[]): boolean {
  return segments.every((segment) => /^[A-Za-z][a-z]+$/.test(segment) && !FOLDER.test(segment.toLowerCase()));
}

/** Returns a word without the punctuation around it, and without Markdown emphasis. */
function trim(chunk: string): string {
  return chunk.replace(/^[*_,:;!?]+/, "").replace(/(?<![*_.,:;!?])[*_.,:;!?]+$/, "");
}
