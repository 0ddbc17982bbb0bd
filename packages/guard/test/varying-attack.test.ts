import { type JsonObject, type JsonValue, toPointer } from "@agentprint/canonical-json";
import { createLock, lockServer, type VaryingMember, withServer } from "@agentprint/mcp-lock";
import fc from "fast-check";
import { expect, test } from "vitest";
import { discoverResult, guardOf, initializeResult, MODERN, request, result, visitOf } from "./support/world.ts";

/** A word that the pinned server does not use, in a text that no signal detects. */
const MARK = "zebra";

const tool: JsonObject = {
  name: "search",
  title: "Search",
  description: "Searches. Run 1",
  inputSchema: {
    type: "object",
    description: "Started at noon",
    properties: { mode: { type: "string", enum: ["a", "b"], default: "/tmp/run-1", examples: ["a"], title: "Mode" } },
    required: ["mode"],
  },
  annotations: { title: "Find", readOnlyHint: true },
  _meta: { at: { id: 1, more: ["x"] } },
};
const prompt: JsonObject = { name: "p", description: "Run 1", arguments: [{ name: "a", description: "Run 1" }] };
const resource: JsonObject = { uri: "file:///a", name: "a", description: "Run 1", _meta: { at: 1 } };
const WORLD = { tools: [tool], prompts: [prompt], resources: [resource], instructions: "Run 1" };

const POINTERS: readonly (readonly [kind: VaryingMember["kind"], pointer: string, as?: "set"])[] = [
  ["tool", "/title"],
  ["tool", "/description"],
  ["tool", "/annotations/title"],
  ["tool", "/_meta/at"],
  ["tool", "/inputSchema/description"],
  ["tool", "/inputSchema/properties/mode/default"],
  ["tool", "/inputSchema/properties/mode/examples"],
  ["tool", "/inputSchema/properties/mode/title"],
  ["tool", "/inputSchema/properties/mode/enum", "set"],
  ["tool", "/inputSchema/required", "set"],
  ["prompt", "/description"],
  ["prompt", "/arguments/0/description"],
  ["resource", "/description"],
  ["resource", "/_meta/at"],
  ["greeting", "/instructions"],
];
const NAMES = { tool: "search", prompt: "p", resource: "file:///a", greeting: undefined };
const VARIES = POINTERS.map(([kind, pointer, as]): VaryingMember => {
  const { [kind]: name } = NAMES;
  return { kind, pointer, as: as ?? "any", ...(name !== undefined && { name }) };
});
const LOCK = withServer(createLock({}), lockServer("files", visitOf(WORLD), { varies: VARIES }));

/** Values that contain the mark as text, as an element or as a name. */
const MARKED = fc.constantFrom<JsonValue>(
  MARK,
  `Run 2. ${MARK}`,
  `Run\u200b 1 ${MARK}`,
  [MARK],
  ["a", "b", MARK],
  [[MARK]],
  { [MARK]: 1 },
  { id: MARK },
  { at: { [MARK]: null } },
);

/** Returns every place in a value. */
function placesIn(value: JsonValue, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, member]) => placesIn(member, [...path, name]))];
}

function withValue(root: JsonValue, [name, ...rest]: readonly string[], value: JsonValue): JsonValue {
  if (name === undefined) return value;
  const copy = (Array.isArray(root) ? [...root] : { ...(root as JsonObject) }) as JsonObject;
  copy[name] = withValue(copy[name] ?? {}, rest, value);
  return copy;
}

/** Generates an item with the mark at existing places, or at new places next to them. */
function marked(item: JsonObject): fc.Arbitrary<JsonObject> {
  const places = placesIn(item).filter((path) => path.length > 0 && toPointer(path) !== "/name" && path[0] !== "uri");
  const place = fc
    .tuple(fc.constantFrom(...places), fc.constantFrom<readonly string[]>([], ["new"], [MARK]))
    .map(([path, more]) => [...path.slice(0, path.length - (more.length > 0 ? 1 : 0)), ...more]);
  return fc
    .array(fc.tuple(place, MARKED), { minLength: 1, maxLength: 3 })
    .map((edits) => edits.reduce<JsonValue>((now, [path, value]) => withValue(now, path, value), item) as JsonObject);
}

const PRESETS = ["strict", "compatible", "breaking"] as const;
const LISTS = [
  ["tools/list", "tools", tool],
  ["prompts/list", "prompts", prompt],
  ["resources/list", "resources", resource],
] as const;

test.each(LISTS)("whatever a server says in an item that varies, %s shows none of it", (method, list, item) => {
  fc.assert(
    fc.property(
      fc.constantFrom(...PRESETS),
      fc.boolean(),
      fc.array(marked(item), { minLength: 1, maxLength: 3 }),
      (preset, isModern, answers) => {
        const { guard } = guardOf(WORLD, { preset }, { lock: LOCK });
        const more = isModern ? { resultType: "complete", ttlMs: 9, cacheScope: "public" } : {};
        for (const [id, live] of answers.entries()) {
          guard.fromClient(request(id, method, isModern ? { _meta: MODERN } : {}));
          // The first answer contains the item twice, but only one of the two matches the lock.
          for (const items of id === 1 ? [[item, live]] : [[live]]) {
            const step = guard.fromServer(result(id, { [list]: items, ...more }));
            expect(JSON.stringify(step)).not.toContain(MARK);
          }
        }
      },
    ),
  );
});

test("whatever a server says as instructions that vary, no greeting shows any of it", () => {
  fc.assert(
    fc.property(fc.constantFrom(...PRESETS), fc.boolean(), MARKED, (preset, isModern, instructions) => {
      const { guard } = guardOf(WORLD, { preset }, { lock: LOCK });
      const [method, params] = isModern ? MODERN_GREETING : LEGACY_GREETING;
      guard.fromClient(request(1, method, params));
      const said = { instructions: instructions as string };
      const step = guard.fromServer(result(1, isModern ? discoverResult(said) : initializeResult(said)));
      expect(JSON.stringify(step)).not.toContain(MARK);
    }),
  );
});

const LEGACY_GREETING = ["initialize", { capabilities: {} }] as const;
const MODERN_GREETING = ["server/discover", { _meta: MODERN }] as const;
