import { DRIFT_RULES } from "@agentprint/mcp-lock";
import { expect, test } from "vitest";
import { GUARD_RULES, parseGuardPolicy } from "../src/index.ts";

const FIXED = ["mcp/could-not-tell", "mcp/artifact-changed", "auth/issuer-changed", "auth/endpoint-origin-changed"];
const IDS = [...Object.keys(DRIFT_RULES), ...Object.keys(GUARD_RULES)].filter((id) => !FIXED.includes(id));
const nameOf = (id: string): string => id.slice(id.indexOf("/") + 1);

test.each(IDS)("%s can be named by its id", (id) => {
  const expected = { [id]: { guard: "ask" } };
  expect(parseGuardPolicy({ rules: expected }).rules).toEqual(expected);
});

test.each(IDS.filter((id) => nameOf(id) !== "hidden-text"))("%s can be named without its domain", (id) => {
  expect(parseGuardPolicy({ rules: { [nameOf(id)]: { guard: "ask" } } }).rules).toEqual({ [id]: { guard: "ask" } });
});

test.each(["hidden-text", ...FIXED, "manifest/tool_removed", "nothing"])("%s cannot be named", (id) => {
  expect(() => parseGuardPolicy({ rules: { [id]: { guard: "pass" } } })).toThrow(
    expect.objectContaining({ name: "PolicyError", path: `/rules/${id.replace("/", "~1")}` }),
  );
});

test("an id without its domain is reported once", () => {
  const given: string[] = [];
  const rules = { "item-added": { guard: "ask" } };
  parseGuardPolicy(
    { rules, servers: { files: { rules } } },
    { onShortId: (short, id) => given.push(`${short} ${id}`) },
  );
  expect(given).toEqual(["item-added mcp/item-added"]);
});
