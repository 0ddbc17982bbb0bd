/** A host that a URL may have: `example.com`, `*.example.com`, `example.com:8443` or `[::1]`. */
interface HostPattern {
  /** Whether only hosts below `host` match, not `host` itself. */
  readonly isWildcard: boolean;
  readonly host: string;
  /** Empty for the scheme's default port. */
  readonly port: string;
}

const AUTHORITY = /^(https?):\/\/([^/?#\\@]+)(?:[/?#]|$)/i;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: ":80", https: ":443" };

/**
 * Returns whether a text is an HTTP URL to one of the hosts, however a program reads the text. Refuses user names,
 * backslashes, white space, other spellings of a host (upper case, a trailing dot, percent-encoding, non-ASCII
 * characters, IPv4 addresses in other notations) and ports that the pattern does not name.
 */
export function isUrlTo(text: string, patterns: readonly string[]): boolean {
  const target = targetOf(text);
  return target !== undefined && patterns.some((pattern) => matches(target, pattern));
}

/** Returns the problem with a host of `url-host`; `undefined` for a valid host. */
export function problemOfHost(pattern: string): string | undefined {
  const { isWildcard, host, port } = parsePattern(pattern);
  const target = targetOf(`https://${host}${port && `:${port}`}`);
  if (target?.host !== host || target.port !== port) return "is not a host in lower-case ASCII";
  return isWildcard && /(?:^|\.)\d+$|\]$/.test(host) ? "has a wildcard before an address" : undefined;
}

/** Returns whether the outer pattern matches all hosts that the inner one matches. */
export function isHostWithin(inner: string, outer: string): boolean {
  const [{ isWildcard, host, port }, wider] = [parsePattern(inner), parsePattern(outer)];
  if (port !== wider.port) return false;
  if (!isWildcard) return matches({ host, port }, outer);
  return wider.isWildcard && (host === wider.host || host.endsWith(`.${wider.host}`));
}

function matches({ host, port }: Omit<HostPattern, "isWildcard">, pattern: string): boolean {
  const allowed = parsePattern(pattern);
  if (port !== allowed.port) return false;
  return allowed.isWildcard ? host.endsWith(`.${allowed.host}`) : host === allowed.host;
}

function parsePattern(pattern: string): HostPattern {
  const isWildcard = pattern.startsWith("*.");
  const [, host = "", port = ""] = /^(.*?)(?::(\d+))?$/s.exec(isWildcard ? pattern.slice(2) : pattern) ?? [];
  return { isWildcard, host, port };
}

/** Returns a URL's host in its canonical spelling, and the port if it is not the scheme's default. */
function targetOf(text: string): Omit<HostPattern, "isWildcard"> | undefined {
  const [, scheme = "", authority = ""] = AUTHORITY.exec(text) ?? [];
  // Some readers drop or replace white space, control characters and non-ASCII characters.
  if (scheme === "" || /[^\u0021-\u007e]|\\/.test(text) || /[%*]/.test(authority) || !URL.canParse(text))
    return undefined;
  const { host, port } = new URL(text);
  const own = DEFAULT_PORTS[scheme.toLowerCase()] as string;
  if ((authority.endsWith(own) ? authority.slice(0, -own.length) : authority) !== host) return undefined;
  const name = port === "" ? host : host.slice(0, -port.length - 1);
  return name.split(".").includes("") ? undefined : { host: name, port };
}
