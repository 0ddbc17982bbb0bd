import { isSecretName } from "@agentprint/launch/redact";
import { decodePercent } from "../decode-percent.ts";

/** A value that a visit uses, and the name of the variable, header or URL that holds it. */
export interface KnownValue {
  readonly name: string;
  readonly value: string;
  /** Whether the value is secret whatever its name, such as the password in a URL. */
  readonly isSecret?: boolean;
}

/**
 * The minimum length of a value that is hidden whatever its name; a shorter value is hidden only if its name is a
 * secret's.
 */
const MIN_LENGTH = 8;
/** Passwords that documentation gives as defaults; they are public, and as plain words they occur in many texts. */
const DEFAULT_PASSWORD =
  /^(?:admin|administrator|changeme|default|demo|docker|example|guest|local|mariadb|minioadmin|mongo|mongodb|mysql|neo4j|pass|passwd|password|postgres|postgresql|redis|root|secret|test|user|username)$/i;
const SCHEME = /^[A-Za-z][\w-]{1,15}[ \t]+(\S.*)$/s;

/**
 * Returns the values that must not be shown: each given value that is long enough or has a secret name, and the secrets
 * inside it, such as the credentials after a header's scheme and the password in a URL. A database's default password,
 * such as `postgres`, is not hidden: replacing it would make names of servers and tools unreadable, and hide nothing.
 */
export function hiddenValues(known: readonly KnownValue[]): KnownValue[] {
  const byValue = new Map<string, KnownValue>();
  for (const one of known.flatMap((given) => [given, ...partsOf(given)])) {
    for (const value of [one.value, one.value.trim()]) {
      const isSecret = one.isSecret === true || isSecretName(one.name);
      const earlier = byValue.get(value);
      if (value.trim() === "" || DEFAULT_PASSWORD.test(value) || !(isSecret || value.length >= MIN_LENGTH)) continue;
      if (!earlier || (isSecret && !earlier.isSecret)) byValue.set(value, { name: one.name, value, isSecret });
    }
  }
  return [...byValue.values()];
}

function partsOf({ name, value }: KnownValue): KnownValue[] {
  const credentials = isSecretName(name) ? SCHEME.exec(value)?.[1] : undefined;
  const isBasic = credentials !== undefined && /^basic\s/i.test(value);
  const login = isBasic ? Buffer.from(credentials, "base64").toString() : undefined;
  return [
    ...(credentials === undefined ? [] : [{ name, value: credentials, isSecret: true }]),
    ...(login === undefined ? [] : [{ name, value: login.slice(login.indexOf(":") + 1), isSecret: true }]),
    ...credentialsOfUrl(name, value),
  ];
}

/** Returns a URL's user information, both as written and decoded; empty if the text is not a URL. */
export function credentialsOfUrl(name: string, url: string): KnownValue[] {
  const [, user = "", password] = /^[a-z][a-z0-9+.-]*:\/\/([^/\\?#:]*)(?::([^/\\?#]*))?@/i.exec(url) ?? [];
  const of = (value: string, isSecret: boolean): KnownValue[] =>
    [value, decodePercent(value)].filter((text) => text !== "").map((text) => ({ name, value: text, isSecret }));
  return [...of(user, !password), ...of(password ?? "", true)];
}
