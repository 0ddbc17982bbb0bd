/** A path without `.` and `..`, or the reason why readers may resolve it differently. */
export type NormalPath =
  | { readonly isSafe: true; readonly base: string; readonly segments: readonly string[] }
  | { readonly isSafe: false; readonly reason: string };

/** The maximum number of times that a path is decoded before it counts as endlessly encoded. */
const MAX_DECODINGS = 8;

const ENCODED = /(?:%[0-9a-f]{2})+/i;
const ENCODED_SEPARATOR = /%(?:2f|5c|00)/i;
const UNICODE_ESCAPE = /%u[0-9a-f]{4}/i;
const CONTROL = /\p{Cc}/u;
/** Characters that some readers drop. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u;
/**
 * Slashes, backslashes and currency signs that some readers, such as Windows code pages, treat as separators; NFKC
 * keeps them.
 */
const LIKE_SEPARATOR = /[\u20e5\u00a5\u20a9\u2044\u2215\u2216\u2571\u2572\u27cb\u27cd\u29f5-\u29f9\u2e4a]/u;
/** Names that Windows gives to devices in every folder, with and without an extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?:\.|$)/i;

/**
 * Returns the forms in which programs may read a path: unchanged, percent-decoded once, twice and so on, and each of
 * these with compatibility characters such as `／` in their plain form. Returns `undefined` if not all of these forms
 * are known.
 */
export function readingsOf(path: string): readonly string[] | undefined {
  const readings = [path];
  for (let text = path; ENCODED.test(text); ) {
    if (readings.length > MAX_DECODINGS || ENCODED_SEPARATOR.test(text)) return undefined;
    const decoded = decode(text);
    if (decoded === undefined) return undefined;
    text = decoded;
    readings.push(text);
  }
  if (readings.some((text) => UNICODE_ESCAPE.test(text))) return undefined;
  return [...new Set(readings.flatMap((text) => [text, text.normalize("NFKC")]))];
}

function decode(text: string): string | undefined {
  try {
    return text.replace(new RegExp(ENCODED, "gi"), decodeURIComponent);
  } catch {
    return undefined;
  }
}

/**
 * Reads a POSIX or Windows path. A path is not safe if programs read it differently, or if it depends on something that
 * only the program knows.
 */
export function normalizePath(path: string): NormalPath {
  if (path === "") return unsafe("is empty");
  if (!path.isWellFormed() || CONTROL.test(path)) return unsafe("has a control character or half a surrogate pair");
  if (IGNORABLE.test(path)) return unsafe("has a character that some readers drop");
  if (LIKE_SEPARATOR.test(path)) return unsafe("has a character that some readers treat as a separator");
  if (path.trim() !== path) return unsafe("begins or ends with white space");
  if (/^[\\/]{2}[?.][\\/]/.test(path)) return normalizeVerbatim(path);
  if (/^[\\/]{2}/.test(path)) return normalizeUnc(path.slice(2));
  if (/^[a-z]:/i.test(path)) return normalizeDrive(path);
  if (path.includes("\\")) return unsafe("has a backslash, which is a separator only on Windows");
  if (path.startsWith("~")) {
    if (path !== "~" && !path.startsWith("~/")) return unsafe("begins with someone else's home folder");
    return resolve("~", path.slice(1).split("/"));
  }
  if (path.startsWith("/")) return resolve("/", path.split("/"));
  if (/^[^/]*:/.test(path)) return unsafe("begins like a URL");
  return resolve(".", path.split("/"));
}

/**
 * Normalizes `\\?\C:\…` and `\\?\UNC\…`, in which Windows takes every segment literally. Refuses `\\.\`, which leads to
 * devices.
 */
function normalizeVerbatim(path: string): NormalPath {
  if (!path.startsWith("\\\\?\\") || path.includes("/")) return unsafe("leads to a device");
  const rest = path.slice(4);
  if (rest.split("\\").some((segment) => segment === "." || segment === "..")) {
    return unsafe("has .. or . where Windows takes them literally");
  }
  if (/^unc\\/i.test(rest)) return normalizeUnc(rest.slice(4));
  return /^[a-z]:/i.test(rest) ? normalizeDrive(rest) : unsafe("leads to a device");
}

function normalizeUnc(path: string): NormalPath {
  const [server = "", share = "", ...segments] = path.split(/[\\/]/);
  if ([server, share].some((name) => /^\.*$/.test(name))) return unsafe("names no share");
  return resolveOnWindows("\\\\", [server, share, ...segments], 2);
}

function normalizeDrive(path: string): NormalPath {
  if (!/^.:[\\/]/.test(path)) return unsafe("depends on the current folder of the drive");
  return resolveOnWindows(`${path.slice(0, 1).toLowerCase()}:`, path.slice(3).split(/[\\/]/), 0);
}

/** @param kept The number of segments above which `..` cannot lead. */
function resolveOnWindows(base: string, segments: readonly string[], kept: number): NormalPath {
  for (const segment of segments.filter((name) => name !== "." && name !== "..")) {
    if (/[. ]$/.test(segment)) return unsafe("has a name that ends in a dot or a space, which Windows drops");
    if (/[:<>"|?*]/.test(segment)) return unsafe("has a character that Windows names cannot have");
    if (DEVICE.test(segment)) return unsafe("has the name of a Windows device");
  }
  return resolve(base, segments.map(toLowerAscii), kept);
}

function resolve(base: string, segments: readonly string[], kept = 0): NormalPath {
  const resolved: string[] = [];
  for (const segment of segments) {
    if (segment === "" || segment === ".") continue;
    if (segment !== ".." && /^[. ]+$/.test(segment)) return unsafe("has a name made of dots and spaces");
    if (segment !== "..") resolved.push(segment);
    else if (resolved.length > kept) resolved.pop();
    else return unsafe("leads above its root");
  }
  return { isSafe: true, base, segments: resolved };
}

/** Windows ignores case when it compares names. Beyond ASCII, it uses a different case table from Unicode's. */
function toLowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function unsafe(reason: string): NormalPath {
  return { isSafe: false, reason };
}
