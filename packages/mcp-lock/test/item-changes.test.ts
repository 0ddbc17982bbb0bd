import type { JsonObject } from "@agentprint/canonical-json";
import { answersOf, type Offer } from "@agentprint/testing/lock/offer";
import { expect, test } from "vitest";
import { checkLock, createLock, driftFindings, leavesCallsValid } from "../src/index.ts";

/** Returns the changed places of an item, each with the end of its message if callers may break. */
function changes(before: Partial<Offer>, after: Partial<Offer>): string[] {
  const drift = checkLock(createLock({ shop: answersOf([], before) }), { shop: answersOf([], after) });
  const found = driftFindings(drift).filter(({ rule }) => rule === "mcp/item-changed");
  for (const finding of found) expect(leavesCallsValid(finding)).toBe(!finding.message.endsWith(", callers may break"));
  return found.map(({ message, place: { pointer = "" } }) => `${pointer} ${message}`.trim());
}

const prompt = (list?: unknown, more: JsonObject = {}): Partial<Offer> => ({
  prompts: [{ name: "greet", ...(list !== undefined && { arguments: list }), ...more } as JsonObject],
});
const [WHO, HOW] = [
  { name: "who", required: true },
  { name: "how", description: "The tone" },
];

test.each([
  ["another description", prompt(), prompt(undefined, { description: "Greets" }), ["/description"]],
  ["icons and members of nobody", prompt([WHO]), prompt([WHO], { icons: [], x: 1 }), ["/icons", "/x"]],
  ["one more argument that may be given", prompt([WHO]), prompt([WHO, HOW]), ["/arguments/1"]],
  ["first arguments, none of them required", prompt(), prompt([HOW]), ["/arguments"]],
  ["an argument that no longer has to be given", prompt([WHO]), prompt([{ name: "who" }]), ["/arguments/0/required"]],
  ["a default that is written", prompt([HOW]), prompt([{ ...HOW, required: false }]), ["/arguments/0/required"]],
  [
    "another text of an argument",
    prompt([HOW]),
    prompt([{ ...HOW, description: "The mood" }]),
    ["/arguments/0/description"],
  ],
])("callers of a prompt can go on with %s", (_name, before, after, places) => {
  expect(changes(before, after)).toEqual(places.map((pointer) => `${pointer} prompt changed`));
});

test("reordered arguments break no caller", () => {
  const found = changes(prompt([WHO, HOW]), prompt([HOW, WHO]));
  expect(found.length).toBeGreaterThan(1);
  expect(found.filter((each) => each.endsWith("callers may break"))).toEqual([]);
});

const MUST = { name: "must", required: true };

test.each([
  ["a newly required argument", prompt([WHO]), prompt([WHO, MUST]), ["/arguments/1"]],
  ["first arguments, one of them required", prompt(), prompt([MUST]), ["/arguments"]],
  ["an argument that is gone", prompt([WHO, HOW]), prompt([WHO]), ["/arguments/1"]],
  ["another name of an argument", prompt([HOW]), prompt([{ ...HOW, name: "tone" }]), ["/arguments/0/name"]],
  [
    "an argument that now has to be given",
    prompt([HOW]),
    prompt([{ ...HOW, required: true }]),
    ["/arguments/0/required"],
  ],
  ["arguments that are no list", prompt([HOW]), prompt({ how: {} }), ["/arguments"]],
  ["an argument without a name", prompt([HOW]), prompt([HOW, { required: false }]), ["/arguments/1"]],
  ["an argument that is a text", prompt([HOW]), prompt([HOW, "what"]), ["/arguments/1"]],
  ["a requirement that is no yes or no", prompt([HOW]), prompt([HOW, { name: "x", required: 1 }]), ["/arguments/1"]],
])("callers of a prompt may break by %s", (_name, before, after, places) => {
  expect(changes(before, after).filter((each) => each.endsWith("callers may break"))).toEqual(
    places.map((pointer) => `${pointer} prompt changed, callers may break`),
  );
});

test("next to an argument that breaks callers, its texts and an optional one do not", () => {
  const after = prompt([{ ...HOW, description: "The mood", required: true }, { name: "more" }], { title: "Hello" });
  expect(changes(prompt([HOW]), after)).toEqual([
    "/arguments/0/description prompt changed",
    "/arguments/1 prompt changed",
    "/title prompt changed",
    "/arguments/0/required prompt changed, callers may break",
  ]);
});

test.each(["resource", "resource template"] as const)("a %s in another form may not be understood", (words) => {
  const of = (more: JsonObject): Partial<Offer> =>
    words === "resource"
      ? { resources: [{ uri: "file:///a", name: "a", ...more }] }
      : { resourceTemplates: [{ uriTemplate: "file:///{a}", name: "a", ...more }] };
  const [plain, html] = [of({ mimeType: "text/plain" }), of({ mimeType: "text/html" })];
  expect(changes(plain, html)).toEqual([`/mimeType ${words} changed, callers may break`]);
  expect(changes(plain, of({}))).toEqual([`/mimeType ${words} changed, callers may break`]);
  expect(changes(of({}), plain)).toEqual([`/mimeType ${words} changed`]);
  expect(changes(of({ size: 1 }), of({ size: 2, description: "b" }))).toEqual([
    `/description ${words} changed`,
    `/size ${words} changed`,
  ]);
});
