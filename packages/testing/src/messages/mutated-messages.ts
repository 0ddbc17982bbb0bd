import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import fc from "fast-check";

/** JSON texts of every kind of value: a member of a message may have an unexpected kind. */
const ODD_VALUES: readonly string[] = [
  ...["null", "true", "false", "0", "-0", "1", "-1", "1.5", "1e2", "1e400", "-1e400", "5e-324", "1e-400"],
  ...["9007199254740993", "123456789012345678901234567890", '""', '" "', '"1"', '"text"', '"__proto__"', '"then"'],
  ...['"\\ud800"', '"\\udc00\\ud800"', '"\\u0000\\u001b[2J"', '"\\ud83d\\ude00"', `"${"x".repeat(5000)}"`],
  ...["[]", "[[]]", "[null]", "[1,2]", '[{"id":1}]', "{}", '{"":0}', '{"length":-1}', '{"a":1,"a":2}'],
  '{"toString":1,"valueOf":1}',
  '{"__proto__":{"toString":1,"valueOf":null}}',
  '{"toJSON":1,"then":1,"constructor":{"prototype":null}}',
  '{"toString":{},"then":{"then":{}},"hasOwnProperty":1,"Symbol.toPrimitive":1}',
  "[".repeat(200) + "]".repeat(200),
  `${'{"a":'.repeat(200)}1${"}".repeat(200)}`,
  "[".repeat(3000) + "]".repeat(3000),
];

/** Returns the paths of all values in a value, including its own. */
function pathsIn(value: JsonValue, path: readonly string[] = []): (readonly string[])[] {
  const names = Array.isArray(value) ? [...value.keys()].map(String) : isJsonObject(value) ? Object.keys(value) : [];
  return [path, ...names.flatMap((name) => pathsIn((value as JsonObject)[name] as JsonValue, [...path, name]))];
}

/** A change at one place in a message: another value, no value, or an additional member next to it. */
interface Change {
  readonly path: readonly string[];
  /** JSON text; absent if the member is left out. */
  readonly text?: string;
  /** The name of a member that is added next to it. */
  readonly beside?: string;
}

/** Returns the JSON text of a value with a change. */
function changedText(value: JsonValue, { path, text, beside }: Change): string {
  const [name, ...rest] = path;
  if (name === undefined) return text ?? "";
  if (Array.isArray(value)) {
    return `[${value.map((item, index) => (String(index) === name ? changedText(item, { path: rest, ...(text !== undefined && { text }) }) : JSON.stringify(item))).join(",")}]`;
  }
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([key, member]) => {
    const isHere = key === name;
    if (!isHere) return [`${JSON.stringify(key)}:${JSON.stringify(member)}`];
    if (rest.length === 0 && beside !== undefined) {
      return [`${JSON.stringify(key)}:${JSON.stringify(member)}`, `${JSON.stringify(beside)}:${text ?? "1"}`];
    }
    const changed = changedText(member as JsonValue, {
      path: rest,
      ...(text !== undefined && { text }),
      ...(beside !== undefined && { beside }),
    });
    return changed === "" ? [] : [`${JSON.stringify(key)}:${changed}`];
  });
  return `{${members.join(",")}}`;
}

const BESIDE = ["toString", "valueOf", "__proto__", "toJSON", "then", "constructor", "id", "method", "result", "error"];

/** Returns every message in which one value is replaced by each kind of value, left out, or has a member added next to it. */
export function allChanges(message: JsonValue): string[] {
  return pathsIn(message).flatMap((path) => [
    ...ODD_VALUES.map((text) => changedText(message, { path, text })),
    ...(path.length > 0 ? [changedText(message, { path })] : []),
    ...(path.length > 0 ? BESIDE.map((beside) => changedText(message, { path, beside, text: "{}" })) : []),
  ]);
}

/** Returns one of the messages, changed in one or two places. */
export function mutated(messages: readonly JsonValue[]): fc.Arbitrary<string> {
  const change = (message: JsonValue): fc.Arbitrary<Change> => {
    const path = fc.constantFrom(...pathsIn(message));
    return fc.oneof(
      { weight: 6, arbitrary: fc.record({ path, text: fc.constantFrom(...ODD_VALUES) }) },
      { weight: 1, arbitrary: fc.record({ path }) },
      {
        weight: 1,
        arbitrary: fc.record({ path, beside: fc.constantFrom(...BESIDE), text: fc.constantFrom("1", "{}") }),
      },
      { weight: 1, arbitrary: fc.json({ maxDepth: 3 }).chain((text) => fc.record({ path, text: fc.constant(text) })) },
    );
  };
  return fc.constantFrom(...messages).chain((message) => {
    const one = change(message).map((made) => changedText(message, made));
    const both = fc.tuple(change(message), change(message)).map(([first, second]) => {
      const text = changedText(message, first);
      try {
        return changedText(JSON.parse(text) as JsonValue, second);
      } catch {
        return text;
      }
    });
    return fc.oneof({ weight: 4, arbitrary: one }, { weight: 1, arbitrary: both });
  });
}
