import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import { LISTS, META } from "@agentprint/mcp";
import { findInvisible } from "@agentprint/mcp-lock";

/** The text that a client receives in place of a withheld text. */
const WITHHELD = "Withheld by the guard: the text contains characters that no one can see.";
const NONE: ReadonlySet<string> = new Set();

/**
 * Matches everything other than plain ASCII, raw or escaped: without a match, the strings in a JSON text need no check.
 */
const MAY_HIDE = /[^\t\n\r\x20-\x7e]|\\[bfu]/;

/** Returns whether a JSON text may contain anything that {@link hasHiddenText} looks for. */
export function mayHide(json: string): boolean {
  return MAY_HIDE.test(json);
}

/**
 * Returns whether any string or key in a value contains a terminal escape or an invisible character.
 *
 * @param known The lock's texts, which count as reviewed.
 */
export function hasHiddenText(root: JsonValue, known: ReadonlySet<string> = NONE): boolean {
  const open: JsonValue[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === "string" && hides(value, known)) return true;
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) for (const item of value) open.push(item);
    else for (const [name, member] of Object.entries(value)) open.push(name, member);
  }
  return false;
}

function hides(text: string, known: ReadonlySet<string>): boolean {
  return findInvisible(text).size > 0 && !known.has(text);
}

/** Returns the texts in a value that hide something. */
export function hiddenTextsIn(root: JsonValue): Set<string> {
  const found = new Set<string>();
  const visit = (value: JsonValue): void => {
    if (typeof value === "string") {
      if (findInvisible(value).size > 0) found.add(value);
    } else if (Array.isArray(value)) value.forEach(visit);
    else if (isJsonObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        visit(name);
        visit(member);
      }
    }
  };
  visit(root);
  return found;
}

/** Members that the other side echoes or looks up, so that no other text can replace them. */
const IDENTIFIERS: ReadonlySet<string> = new Set([
  ..."jsonrpc id method requestId progressToken cursor nextCursor taskId requestState elicitationId toolUseId".split(
    " ",
  ),
  ..."uri uriTemplate url src resultType status protocolVersion supportedVersions".split(" "),
  META.subscriptionId,
]);
/** Lists whose items can be left out. */
const LIST_NAMES: ReadonlySet<string> = new Set(LISTS.map(({ list }) => list));

/** Marks a value that cannot be screened, because a key or an identifier in it hides something. */
const UNUSABLE = Symbol();

/**
 * Returns a message from the server in which a fixed text replaces each text that hides something; the same object if
 * no text does. Ids, tokens, cursors and URLs are kept. A list item whose name hides something is left out. Returns
 * `undefined` if any other key or an identifier hides something.
 *
 * @param known The lock's texts, which count as reviewed.
 */
export function withoutHiddenText(message: JsonObject, known: ReadonlySet<string>): JsonObject | undefined {
  const left = screened(message, known, true);
  return left === UNUSABLE ? undefined : (left as JsonObject);
}

function screened(value: JsonValue, known: ReadonlySet<string>, isTop = false): JsonValue | typeof UNUSABLE {
  if (typeof value === "string") return hides(value, known) ? WITHHELD : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return screenedItems(value, known, false);
  let left: [string, JsonValue][] | undefined;
  const entries = Object.entries(value);
  for (const [index, [name, member]] of entries.entries()) {
    // An answer's id is the client's own.
    if (isTop && name === "id" && !("method" in value)) {
      left?.push([name, member]);
      continue;
    }
    const kept = screenedMember(name, member, known);
    if (kept === UNUSABLE) return UNUSABLE;
    if (kept !== member) left ??= entries.slice(0, index);
    left?.push([name, kept]);
  }
  return left === undefined ? value : Object.fromEntries(left);
}

function screenedMember(name: string, member: JsonValue, known: ReadonlySet<string>): JsonValue | typeof UNUSABLE {
  if (hides(name, known)) return UNUSABLE;
  if (IDENTIFIERS.has(name)) return hasHiddenText(member, known) ? UNUSABLE : member;
  if (LIST_NAMES.has(name) && Array.isArray(member)) return screenedItems(member, known, true);
  return screened(member, known);
}

function screenedItems(
  items: readonly JsonValue[],
  known: ReadonlySet<string>,
  isList: boolean,
): JsonValue | typeof UNUSABLE {
  const left: JsonValue[] = [];
  let isChanged = false;
  for (const item of items) {
    const isNamed = isList && isJsonObject(item) && typeof item["name"] === "string";
    const kept = isNamed && hides(item["name"] as string, known) ? UNUSABLE : screened(item, known);
    isChanged ||= kept !== item;
    if (kept !== UNUSABLE) left.push(kept);
    else if (!isList) return UNUSABLE;
  }
  return isChanged ? left : (items as JsonValue[]);
}
