import { checkArgument } from "../check-argument.ts";
import { MAX_NAME_LENGTH, MAX_PLAIN_VALUE_LENGTH } from "../limits.ts";

/**
 * The kind of value that a name announces: under a `secret` name, every value is a secret. Under a `likely` name, the
 * value is a secret, a file, a mode or another plain word (`--auth none`, `--key server.pem`).
 */
export type NameKind = "secret" | "likely";

const SECRET_ENDING =
  /(?:password|passwd|passphrase|passcode|pwd|secret|token|bearer|jwt|credentials?|cookie|sessionid|(?:api|access|secret|private|auth|account|encryption|signing|master|shared|subscription|client|service|license|session|storage)key|apikeys|secrets|passwords|(?:api|access|auth)tokens)$|^(?:proxy)?authorization$/;
const GLUED_PASS =
  /(?:^|db|smtp|imap|ftp|mail|ldap|user|mysql|mongo|pg|redis|rabbitmq|neo4j|http|proxy|admin|root|my)pass$/;
const LIKELY_WORDS: ReadonlySet<string> = /* @__PURE__ */ new Set(
  "auth sig signature pat otp psk sas creds key".split(" "),
);
/** Words before `key` that name a key that is not secret. */
const OPEN_KEYS: ReadonlySet<string> = new Set(
  "public primary foreign sort partition cache hot row range group idempotency lookup index object routing shard json map column".split(
    " ",
  ),
);
/** Words after the noun in a name that do not change its meaning. */
const SUFFIX =
  /^(?:v?\d+|prod|production|dev|test|staging|live|base|value|b64|base64|raw|plain|string|default|main|old|new)$/;
/** The first words of names whose value is a switch or a number. */
const NO_NOUN =
  /^(?:no|without|disabled?|skip|enabled?|use|allow|requires?|required|is|has|show|print|ignore|max|min|num|total)$/;
const PLAIN_VALUE =
  /^(?:true|false|yes|no|on|off|none|null|auto|default|basic|bearer|digest|oauth2?|oidc|jwt|token|password|required|optional|enabled|disabled|anonymous)$|^(?:~|\.{0,2})\/|^[a-z]:\\|\.(?:pem|key|crt|cer|p12|pfx|json|ya?ml|toml|env|txt|[cm]?[jt]s|py|rb|sh|jar|exe|pub|asc|gpg)$/i;

/** Classifies the name of a flag, variable, header, parameter or member; `undefined` if its value is not a secret. */
export function kindOfName(name: string): NameKind | undefined {
  if (name.length > MAX_NAME_LENGTH || /^(?:OLD)?PWD$/.test(name)) return undefined;
  const words = wordsOf(percentDecoded(name));
  while (words.length > 1 && SUFFIX.test(words.at(-1) ?? "")) words.pop();
  const last = words.pop()?.replace(/(?<=\D)\d+$/, "");
  if (last === undefined || (words.length > 0 && NO_NOUN.test(words[0] ?? ""))) return undefined;
  const glued = [...words, last].join("");
  if (SECRET_ENDING.test(glued) || GLUED_PASS.test(last)) return "secret";
  if (last === "key" && OPEN_KEYS.has(words.at(-1) ?? "")) return undefined;
  return LIKELY_WORDS.has(last) ? "likely" : undefined;
}

/**
 * Returns whether the name of a variable, header, flag or parameter says that its value is secret: `API_KEY`,
 * `PGPASSWORD`, `Authorization`.
 */
export function isSecretName(name: string): boolean {
  checkArgument("name", name, "string");
  return kindOfName(name) !== undefined;
}

/** Returns whether the value under a name is secret. */
export function isSecretValue(kind: NameKind | undefined, value: string): boolean {
  if (kind !== "likely") return kind === "secret";
  return value.length > MAX_PLAIN_VALUE_LENGTH || !PLAIN_VALUE.test(value);
}

/** Returns whether a name is a plural, whose value is several secrets separated by commas. */
export function isPlural(name: string): boolean {
  return /s$/i.test(name);
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1-$2")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}

/** Decodes percent-encoded ASCII characters, up to three times. */
function percentDecoded(name: string): string {
  let decoded = name;
  for (let round = 0; round < 3; round++) {
    decoded = decoded.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  return decoded;
}
