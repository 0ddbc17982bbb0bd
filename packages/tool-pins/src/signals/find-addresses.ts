/** The URLs, hosts, e-mail addresses and paths of a text, each as it is written. */
export interface Addresses {
  readonly url: ReadonlySet<string>;
  readonly host: ReadonlySet<string>;
  readonly email: ReadonlySet<string>;
  readonly path: ReadonlySet<string>;
}

/** Words without white space, quotes and brackets. */
const CHUNK = /[^\s"'`<>()[\]{},;|]+/g;
const URL_START = /[a-z][a-z0-9+.-]{1,31}:\/\/|(?:data|javascript|vbscript):(?=.)/i;
/** Punctuation around a word, and the emphasis of Markdown. */
const AROUND = new Set([..."*_.,:;!?"]);
/** `/etc`, `~/x`, `./x`, `../x`, `C:\x`, `\\host\x`, `$HOME/x`, `%TEMP%\x`. */
const PATH_START = /^(?:(?:~[\w-]*|\.{1,2}|\$\w+|%\w+%|[a-z]:)[/\\]|\/|\\\\)[/\\]*[\p{L}\p{N}._~*@-]/iu;
const ENVIRONMENT = /^(?:process\.env|import\.meta\.env|os\.environ)\b/;
const PATH_SEGMENT = /^[\p{L}\p{N}._@~*-]+$/u;
const HIDDEN_FILE = /^\.(\p{L}[\w-]*)/u;
const LABEL = /^[\p{L}\p{N}-]{1,63}$/u;
const LAST_LABEL = /^(?:\p{L}{2,63}|xn--[a-z0-9-]+)$/iu;

/** Ends of file names that are not top-level domains: `package.json` is not a host. */
const FILE_ENDS = /* @__PURE__ */ wordSet(
  "json jsonc json5 js mjs cjs jsx ts tsx mts cts yaml yml txt csv tsv html htm css scss xml pdf rtf doc xls ppt odt ods odp epub xhtml png jpg jpeg gif svg webp ico log lock toml ini cfg conf exe dll bin tar gz tgz sql db sqlite docx xlsx pptx ipynb wasm bak tmp mp3 mp4 wav",
);
/** Ends of file names that are top-level domains too. */
const OTHER_FILE_ENDS = /* @__PURE__ */ wordSet("md py sh rs go c h cpp java rb php zip so pl mov app");

/** An IPv6 address in brackets, not the slice of a list. */
const BRACKETS = /(?<![\w)\]])\[([0-9a-f:.]{2,45})\]/gi;

const MAX_HOST_LENGTH = 253;
const GROUPS_OF_IPV6 = 8;
/** Separators from which words with slashes between them are a path: `read/write/list` are alternatives. */
const SEPARATORS_OF_PATH = 3;
/** `/2` behind a bracket, `1/2/3/4`: numbers alone name no file. */
const NUMBERS = /^[\d/]+$/;
/** `$19/mo`, `$5/user/month`. */
const PRICE =
  /^\$\d+(?:\.\d+)?(?:\/(?:mo|month|y|yr|year|week|day|h|hr|hour|min|minute|user|seat|call|request|page|GB|MB))+$/i;
/** Alternatives may be more: words of letters, none of which is where the folders of a system begin. */
const ALTERNATIVE = /^[A-Za-z][a-z]+$/;
/** The first of them in quotes or brackets, as in "`read`/create/update": what begins behind it is not its own path. */
const QUOTED_ALTERNATIVE = /(?<![\w$%~./\\])["'`<([{]([A-Za-z][a-z]+)["'`>)\]}]$/;
const MAX_QUOTED_LENGTH = 32;
const FOLDERS = /* @__PURE__ */ wordSet(
  "applications bin boot data dev documents downloads etc home lib library media mnt opt private proc root run sbin srv sys system tmp user users usr var volumes windows",
);

/** Finds the addresses of a text. */
export function findAddresses(text: string): Addresses {
  const found = { url: new Set<string>(), host: new Set<string>(), email: new Set<string>(), path: new Set<string>() };
  for (const { 0: chunk, index } of text.matchAll(CHUNK)) {
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
  for (const [address, inside = ""] of text.matchAll(BRACKETS)) {
    if (inside.includes("::") || inside.split(":").length === GROUPS_OF_IPV6) found.host.add(address.toLowerCase());
  }
  return found;
}

function kindOf(word: string, isCalled: boolean): keyof Addresses | undefined {
  if (URL_START.test(word)) return "url";
  const at = word.lastIndexOf("@");
  if (at > 0 && isHost(word.slice(at + 1))) return "email";
  if (!isCalled && !ENVIRONMENT.test(word) && isHost(hostPart(word))) return "host";
  return isPath(word) ? "path" : undefined;
}

/** The part of a word before a port or a path. */
function hostPart(word: string): string {
  return word.replace(/(?::\d{1,5})?(?:[/?#].*)?$/s, "");
}

function isHost(text: string): boolean {
  if (text.toLowerCase() === "localhost") return true;
  if (text.length > MAX_HOST_LENGTH) return false;
  const labels = text.split(".");
  const last = labels.at(-1) ?? "";
  if (labels.length === 4 && labels.every((label) => /^\d{1,3}$/.test(label))) return true;
  return (
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    LAST_LABEL.test(last) &&
    !FILE_ENDS.has(last.toLowerCase())
  );
}

function isPath(word: string): boolean {
  if (NUMBERS.test(word) || PRICE.test(word)) return false;
  if (PATH_START.test(word)) return true;
  const segments = word.split(/[/\\]/);
  const hidden = HIDDEN_FILE.exec(word)?.[1]?.toLowerCase();
  if (hidden !== undefined && (segments.length > 1 || !(FILE_ENDS.has(hidden) || OTHER_FILE_ENDS.has(hidden))))
    return true;
  if (segments.length < 2 || !segments.every((segment) => PATH_SEGMENT.test(segment))) return false;
  return (
    (segments.length > SEPARATORS_OF_PATH && !areAlternatives(segments)) ||
    /[\p{L}\p{N}]\.\w{1,8}$/u.test(segments.at(-1) ?? "")
  );
}

/** Whether a word that begins with a slash continues with the alternatives whose first one is before it. */
function continuesAlternatives(word: string, before: string): boolean {
  const first = QUOTED_ALTERNATIVE.exec(before)?.[1];
  return first !== undefined && areAlternatives([first, ...word.split("/").slice(1)]);
}

function areAlternatives(segments: readonly string[]): boolean {
  return segments.every((segment) => ALTERNATIVE.test(segment) && !FOLDERS.has(segment.toLowerCase()));
}

function trim(chunk: string): string {
  let [start, end] = [0, chunk.length];
  while (start < end && AROUND.has(chunk.charAt(start)) && chunk.charAt(start) !== ".") start++;
  while (end > start && AROUND.has(chunk.charAt(end - 1))) end--;
  return chunk.slice(start, end);
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}
