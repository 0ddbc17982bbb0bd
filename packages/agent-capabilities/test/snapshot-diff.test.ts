import { sha256Hex } from "@agentprint/canonical-json";
import { describe, expect, test } from "vitest";
import {
  type CapabilitySnapshot,
  type Composable,
  computeFullCapabilityLink,
  createCapabilityLink,
  createCapabilitySnapshot,
  createRegisteredAgent,
  diffCapabilitySnapshots,
  dynamicToolkit,
  explainCapabilityLinkRelationship,
  findSnapshotContradictions,
  jsonSchema,
  parseCapabilityLink,
  parseCapabilitySnapshot,
  policy,
  type SortOptions,
  type ToolSpecWire,
  tool,
  toolkit,
} from "../src/index.ts";
import { namedTool } from "./support.ts";

const root = toolkit(
  [
    tool({
      name: "read",
      description: "Reads a file",
      inputSchema: jsonSchema({ type: "object", properties: { b: { type: "string" }, a: true } }),
      instructions: ["one", "Two"],
      policies: [policy("b", () => true), policy("A", () => true, { executeBinding: "snapshot" })],
      handler: () => "",
    }),
    namedTool("Write"),
  ],
  { name: "files" },
);

async function snapshotOf(of: Composable, options: SortOptions = {}, augments?: Record<string, string>) {
  const agent = createRegisteredAgent({ agentId: "a", name: "A", root: of }, options);
  const turn = await computeFullCapabilityLink({ agent, ctx: { env: {} }, runtimeToolAugments: augments });
  return parseCapabilitySnapshot(JSON.parse(JSON.stringify(createCapabilitySnapshot(turn))));
}

const edit = (snapshot: CapabilitySnapshot, fields: Partial<ToolSpecWire>): CapabilitySnapshot => ({
  ...snapshot,
  tools: snapshot.tools.map((wire) => (wire.name === "read" ? { ...wire, ...fields } : wire)),
});

describe("digests of definitions are computed again", () => {
  test.each([{}, { sort: "locale" }, { sort: "code-unit" }] as const)(
    "a snapshot agrees with its link, %j",
    async (options) => {
      expect(findSnapshotContradictions(await snapshotOf(root, options))).toEqual([]);
      expect(findSnapshotContradictions(await snapshotOf(root, options, { read: "head", gone: "x" }))).toEqual([]);
    },
  );

  test.each<[string, Partial<ToolSpecWire>]>([
    ["description", { description: "Deletes every file" }],
    ["description", { description: null }],
    ["inputSchema", { inputSchema: true }],
    ["inputSchema", { inputSchema: { vendor: "v", version: 1 } }],
    ["instructions", { instructions: ["one"] }],
    ["policyBindings", { policyBindings: [] }],
    [
      "policyBindings",
      {
        policyBindings: [
          { id: "b", executeBinding: "live" },
          { id: "A", executeBinding: "live" },
        ],
      },
    ],
  ])("an edited %s under an unchanged link is a difference and a contradiction", async (field, fields) => {
    const snapshot = await snapshotOf(root);
    const edited = edit(snapshot, fields);
    expect(explainCapabilityLinkRelationship(snapshot.link, edited.link).relationship).toBe("same");
    const diff = diffCapabilitySnapshots(snapshot, edited);
    expect(diff.definitions).toEqual([
      {
        toolKey: "read",
        field,
        before: snapshot.tools.find(({ name }) => name === "read")?.[field as keyof ToolSpecWire],
        after: fields[field as keyof ToolSpecWire],
      },
    ]);
    expect(diff.contradictions.before).toEqual([]);
    const recorded = snapshot.link.toolRefs.find(({ toolKey }) => toolKey === "read")?.toolHash;
    expect(diff.contradictions.after).toMatchObject([{ field: "toolHash", toolKey: "read", recorded }]);
  });

  test("the order of instruction lines is compared, although no digest covers it", async () => {
    const snapshot = await snapshotOf(root);
    const diff = diffCapabilitySnapshots(snapshot, edit(snapshot, { instructions: ["Two", "one"] }));
    expect(diff.definitions.map(({ field }) => field)).toEqual(["instructions"]);
    expect(diff.contradictions).toEqual({ before: [], after: [] });
  });

  test("the order of keys of a schema is no difference", async () => {
    const snapshot = await snapshotOf(root);
    const inputSchema = { properties: { a: true, b: { type: "string" } }, type: "object" };
    expect(diffCapabilitySnapshots(snapshot, edit(snapshot, { inputSchema })).definitions).toEqual([]);
  });

  test("a text bound to a tool at run time is part of the recomputed digest", async () => {
    const bound = await snapshotOf(root, {}, { read: "head" });
    expect(bound.runtimeToolAugments).toEqual({ read: "head" });
    const { runtimeToolAugments: _, ...unbound } = bound;
    expect(findSnapshotContradictions(unbound)).toMatchObject([{ field: "toolHash", toolKey: "read" }]);
    expect(findSnapshotContradictions({ ...bound, runtimeToolAugments: { read: "tail" } })).toHaveLength(1);
  });

  test("a snapshot whose runtime hash does not match its tools contradicts itself", async () => {
    const { link, ...rest } = await snapshotOf(root);
    const forged = { ...rest, link: { ...link, runtimeHash: "0".repeat(64) } };
    expect(findSnapshotContradictions(forged)).toEqual([
      { field: "runtimeHash", recorded: "0".repeat(64), recomputed: link.runtimeHash },
    ]);
  });

  test("a tool that only one snapshot has is a difference of the links, not of definitions", async () => {
    const [both, one] = [await snapshotOf(root), await snapshotOf(namedTool("Write"))];
    expect(diffCapabilitySnapshots(both, one).definitions).toEqual([]);
    expect(diffCapabilitySnapshots(one, both).contradictions).toEqual({ before: [], after: [] });
  });

  test.each([
    [{ instructions: 1 }, "/instructions"],
    [{ runtimeToolAugments: [] }, "/runtimeToolAugments"],
    [{ runtimeToolAugments: { read: 1 } }, "/runtimeToolAugments/read"],
    [{ tools: [] }, "/tools"],
  ])("%j is refused", async (fields, path) => {
    const stored = { ...(await snapshotOf(root)), ...fields };
    expect(() => parseCapabilitySnapshot(stored)).toThrow(expect.objectContaining({ code: "invalid-wire", path }));
  });
});

describe("a text of instructions for the model", () => {
  const told = (...lines: string[]): Composable =>
    dynamicToolkit({
      name: "d",
      create: () => [toolkit([namedTool("t")], { name: "made", instructions: lines })],
    });

  test("of a toolkit that is created at run time is compared", async () => {
    const [kind, rude] = [await snapshotOf(told("Be kind.")), await snapshotOf(told("Be rude."))];
    expect(rude.link.staticHash).toBe(kind.link.staticHash);
    expect(rude.link.runtimeHash).toBe(kind.link.runtimeHash);
    expect(kind.link.instructionsHash).toBe(sha256Hex("Be kind."));
    const explained = explainCapabilityLinkRelationship(kind.link, rude.link);
    expect(explained.relationship).toBe("instructions-changed");
    expect(explained.details).toEqual([
      expect.stringMatching(/^The instructions for the model changed: \S+ became \S+\.$/),
    ]);
    expect(diffCapabilitySnapshots(kind, rude).instructionsDiffer).toBe(true);
    expect([kind.instructions, rude.instructions]).toEqual(["Be kind.", "Be rude."]);
    expect(explainCapabilityLinkRelationship(kind.link, kind.link).relationship).toBe("same");
  });

  test("is compared if it belongs to one of two toolkits around a tool", async () => {
    const shared = namedTool("t");
    const guarded = (name: string, isOn: boolean): Composable =>
      toolkit([shared], { name, instructions: `You are ${name}.`, policies: [policy(name, () => isOn)] });
    const pick = (isFirst: boolean) => toolkit([guarded("one", isFirst), guarded("two", !isFirst)], { name: "k" });
    const [one, two] = [await snapshotOf(pick(true)), await snapshotOf(pick(false))];
    expect(one.link.instructionsHash).toBe(sha256Hex("You are one."));
    expect([two.link.staticHash, two.link.runtimeHash]).toEqual([one.link.staticHash, one.link.runtimeHash]);
    expect(explainCapabilityLinkRelationship(one.link, two.link).relationship).toBe("instructions-changed");
  });

  test("is not hashed if the other hashes decide it", async () => {
    const { link, ...snapshot } = await snapshotOf(root);
    expect("instructionsHash" in link || "instructions" in snapshot).toBe(false);
  });

  test("that a link lacks is not compared, and the relationship is never the same", async () => {
    const agent = createRegisteredAgent({ agentId: "a", name: "A", root: told("Be kind.") });
    const { link } = await computeFullCapabilityLink({ agent, ctx: { env: {} } });
    const without = createCapabilityLink({ agent, toolRefs: link.toolRefs });
    expect(without.instructionsHash).toBeNull();
    const { instructionsHash: _, ...older } = link;
    for (const other of [parseCapabilityLink(JSON.parse(JSON.stringify(without))), older]) {
      const explained = explainCapabilityLinkRelationship(link, other);
      expect(explained.relationship).toBe("cannot-tell");
      expect(explained.details).toEqual(["What the model was told is not in both links, so it was not compared."]);
      expect(explained.fields.undecided).toEqual(["instructionsHash"]);
    }
    expect(explainCapabilityLinkRelationship(without, without).relationship).toBe("cannot-tell");
    const given = createCapabilityLink({ agent, toolRefs: link.toolRefs, instructions: "Be kind." });
    expect(given).toEqual(link);
  });

  test("that was edited in a snapshot contradicts the link", async () => {
    const snapshot = await snapshotOf(told("Be kind."));
    const diff = diffCapabilitySnapshots(snapshot, { ...snapshot, instructions: "Be rude." });
    expect(diff.instructionsDiffer).toBe(true);
    expect(diff.contradictions.after).toEqual([
      { field: "instructionsHash", recorded: sha256Hex("Be kind."), recomputed: sha256Hex("Be rude.") },
    ]);
  });
});
