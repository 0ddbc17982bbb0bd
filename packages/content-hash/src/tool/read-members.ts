/** The maximum nesting of arrays and objects that is read. */
const MAX_DEPTH = 1000;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const FIRST_PRINTABLE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The `skip…` functions return this if the text is not JSON. */
const INVALID = -1;

/**
 * Returns the JSON of some members of the object in a JSON text, by their names in lower case; of equal names, the last
 * one in the text wins. `null` instead of an object counts as an object without members.
 *
 * It makes the same checks as `JSON.parse` (RFC 8259) but builds no value, because a parser could take fifty times the
 * memory of a text that consists only of brackets.
 *
 * @param wanted - The names in lower case; other members are checked but left out
 * @returns `undefined` if the text is not JSON, is nested more than 1000 levels deep, or is neither an object nor
 * `null`
 */
export function readMembers(json: string, wanted: ReadonlySet<string>): ReadonlyMap<string, string> | undefined {
  const members = new Map<string, string>();
  const start = skipSpace(json, 0);
  const end =
    json.charCodeAt(start) === OPEN_OBJECT
      ? skipContainer(json, start, 1, (name, value) => {
          const known = nameIn(wanted, name);
          if (known !== undefined) members.set(known, value());
        })
      : skipWord(json, start, "null");
  return end !== INVALID && skipSpace(json, end) === json.length ? members : undefined;
}

/**
 * Returns the wanted name that a JSON string represents. In JSON, a character of a name is at most six characters long:
 * `\u0061`.
 */
function nameIn(wanted: ReadonlySet<string>, written: string): string | undefined {
  for (const name of wanted) {
    if (written.length <= name.length * 6 + 2 && (JSON.parse(written) as string).toLowerCase() === name) return name;
  }
  return undefined;
}

function skipSpace(json: string, start: number): number {
  let at = start;
  for (;;) {
    const unit = json.charCodeAt(at);
    if (unit !== SPACE && unit !== LINE_FEED && unit !== CARRIAGE_RETURN && unit !== TAB) return at;
    at++;
  }
}

function skipValue(json: string, at: number, depth: number): number {
  switch (json.charCodeAt(at)) {
    case QUOTE:
      return skipString(json, at);
    case OPEN_ARRAY:
    case OPEN_OBJECT:
      return skipContainer(json, at, depth);
    case LOWER_T:
      return skipWord(json, at, "true");
    case LOWER_F:
      return skipWord(json, at, "false");
    case LOWER_N:
      return skipWord(json, at, "null");
    default:
      return skipNumber(json, at);
  }
}

type OnMember = (name: string, value: () => string) => void;

/** Skips an array or an object, and calls `onMember` for each member of an object. */
function skipContainer(json: string, start: number, depth: number, onMember?: OnMember): number {
  if (depth > MAX_DEPTH) return INVALID;
  const isObject = json.charCodeAt(start) === OPEN_OBJECT;
  const close = isObject ? CLOSE_OBJECT : CLOSE_ARRAY;
  let at = skipSpace(json, start + 1);
  if (json.charCodeAt(at) === close) return at + 1;
  for (;;) {
    const name = at;
    let nameEnd = at;
    if (isObject) {
      nameEnd = json.charCodeAt(at) === QUOTE ? skipString(json, at) : INVALID;
      if (nameEnd === INVALID) return INVALID;
      at = skipSpace(json, nameEnd);
      if (json.charCodeAt(at) !== COLON) return INVALID;
      at = skipSpace(json, at + 1);
    }
    const value = at;
    const valueEnd = skipValue(json, at, depth + 1);
    if (valueEnd === INVALID) return INVALID;
    onMember?.(json.slice(name, nameEnd), () => json.slice(value, valueEnd));
    at = skipSpace(json, valueEnd);
    const unit = json.charCodeAt(at);
    if (unit === close) return at + 1;
    if (unit !== COMMA) return INVALID;
    at = skipSpace(json, at + 1);
  }
}

function skipString(json: string, start: number): number {
  for (let at = start + 1; ; at++) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) return at + 1;
    // Beyond the end of the text, the unit is NaN, for which every comparison is false.
    if (!(unit >= FIRST_PRINTABLE)) return INVALID;
    if (unit !== BACKSLASH) continue;
    const escaped = json.charAt(++at);
    if (escaped === "u") {
      if (!/^[\da-fA-F]{4}$/.test(json.slice(at + 1, at + 5))) return INVALID;
      at += 4;
    } else if (escaped === "" || !'"\\/bfnrt'.includes(escaped)) return INVALID;
  }
}

function skipWord(json: string, at: number, word: string): number {
  return json.startsWith(word, at) ? at + word.length : INVALID;
}

/**
 * Skips a number with a loop for each run of digits, because a regular expression would need a stack for a long run.
 */
function skipNumber(json: string, start: number): number {
  let at = json[start] === "-" ? start + 1 : start;
  at = json[at] === "0" ? at + 1 : skipDigits(json, at);
  if (at !== INVALID && json[at] === ".") at = skipDigits(json, at + 1);
  if (at === INVALID || (json[at] !== "e" && json[at] !== "E")) return at;
  at++;
  return skipDigits(json, json[at] === "+" || json[at] === "-" ? at + 1 : at);
}

/** Skips at least one digit. */
function skipDigits(json: string, start: number): number {
  let at = start;
  while (json.charCodeAt(at) >= DIGIT_ZERO && json.charCodeAt(at) <= DIGIT_NINE) at++;
  return at === start ? INVALID : at;
}
