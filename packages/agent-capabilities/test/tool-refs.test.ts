import { describe, expect, test } from "vitest";
import {
  computeRuntimeHash,
  createCapabilityLink,
  createRegisteredAgent,
  diffToolRefs,
  runtimeCapabilityCanonicalPayload,
  type ToolRef,
  toolkit,
} from "../src/index.ts";

const GOOD: ToolRef = { toolKey: "a", toolHash: "1".repeat(64) };
const agent = createRegisteredAgent({ agentId: "a", name: "A", root: toolkit([], { name: "empty" }) });

/** The functions that take enabled tools, each with the name of the list in its messages. */
const TAKERS: readonly [string, string, (refs: readonly ToolRef[]) => unknown][] = [
  ["computeRuntimeHash", "toolRefs", (refs) => computeRuntimeHash(refs)],
  ["runtimeCapabilityCanonicalPayload", "toolRefs", (refs) => runtimeCapabilityCanonicalPayload(refs)],
  ["createCapabilityLink", "toolRefs", (toolRefs) => createCapabilityLink({ agent, toolRefs, invocationContext: {} })],
  ["diffToolRefs, before", "before", (refs) => diffToolRefs(refs, [GOOD])],
  ["diffToolRefs, after", "after", (refs) => diffToolRefs([GOOD], refs)],
];

describe.each(TAKERS)("%s refuses a tool without a name or a hash, with its place", (_name, list, take) => {
  test.each<[string, unknown, string]>([
    ["no hash", { toolKey: "b" }, "toolHash"],
    ["a hash that is undefined", { toolKey: "b", toolHash: undefined }, "toolHash"],
    ["a hash that is null", { toolKey: "b", toolHash: null }, "toolHash"],
    ["a hash that is a number", { toolKey: "b", toolHash: 1 }, "toolHash"],
    ["a promise of a hash", { toolKey: "b", toolHash: Promise.resolve("1") }, "toolHash"],
    ["no name", { toolHash: "1" }, "toolKey"],
    ["null", null, "toolKey"],
  ])("%s", (_case, ref, member) => {
    expect(() => take([GOOD, ref as ToolRef])).toThrow(
      expect.objectContaining({
        code: "invalid-argument",
        message: expect.stringContaining(`${list}[1].${member}: expected a string, received`),
      }),
    );
  });
});
