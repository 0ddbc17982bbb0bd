import { canonicalize } from "@agentprint/canonical-json";
import { beforeAll, describe, expect, test } from "vitest";
import { compareSchemas, type SchemaComparison } from "../src/index.ts";
import { testJudgedServers } from "./support/judged.ts";
import { toolsOf } from "./support/real-servers.ts";
import { samplesOf } from "./support/samples.ts";
import type { Schema } from "./support/schemas.ts";
import { validatorOf } from "./support/validators.ts";

/** Adjacent versions, and the number of schemas that differ between them as JSON. */
const UPGRADES = [
  { server: "everything", from: "2025-9-25", to: "2026-1-26", differing: 0 },
  { server: "everything", from: "2026-1-26", to: "2026-8-31", differing: 9 },
  { server: "filesystem", from: "2026-1-14", to: "2026-7-4", differing: 0 },
  { server: "filesystem", from: "2026-7-4", to: "2026-8-31", differing: 1 },
  { server: "memory", from: "2026-1-26", to: "2026-7-4", differing: 0 },
  { server: "playwright", from: "0-0-45", to: "0-0-60", differing: 21 },
] as const;

interface Pair extends SchemaComparison {
  readonly name: string;
  readonly before: Schema;
  readonly after: Schema;
  readonly direction: "input" | "output";
}

const compared = new Map<string, Promise<Pair[]>>();

/** Compares the schemas that differ as JSON between two versions of a server, once for all tests. */
function compareVersions(server: string, from: string, to: string): Promise<Pair[]> {
  const key = [server, from, to].join(" ");
  const pairs = compared.get(key) ?? comparePairs(server, from, to);
  compared.set(key, pairs);
  return pairs;
}

async function comparePairs(server: string, from: string, to: string): Promise<Pair[]> {
  const [old, young] = await Promise.all([toolsOf(`server-${server}-${from}`), toolsOf(`server-${server}-${to}`)]);
  const pairs: Pair[] = [];
  expect(young.size).toBeGreaterThan(5);
  for (const [name, tool] of young) {
    const previous = old.get(name);
    for (const [key, direction] of [
      ["inputSchema", "input"],
      ["outputSchema", "output"],
    ] as const) {
      const [before, after] = [previous?.[key], tool[key]];
      if (before === undefined || after === undefined || canonicalize(before) === canonicalize(after)) continue;
      pairs.push({ name, before, after, direction, ...compareSchemas(before, after, { direction }) });
    }
  }
  return pairs;
}

describe.each(UPGRADES)("$server $from to $to", ({ server, from, to, differing }) => {
  let pairs: Pair[];
  beforeAll(async () => {
    pairs = await compareVersions(server, from, to);
  });

  test(`${differing} schemas differ`, () => {
    expect(pairs).toHaveLength(differing);
  });

  test("ajv agrees with every verdict", () => {
    for (const { before, after, direction, verdict, counterexample } of pairs) {
      const [accepts, accepted] = (direction === "input" ? [before, after] : [after, before]).map((s) =>
        validatorOf(s),
      );
      if (verdict === "breaking") {
        expect([accepts?.(counterexample?.value), accepted?.(counterexample?.value)]).toEqual([true, false]);
      }
      for (const value of verdict === "compatible" ? samplesOf([before, after], 1, 500) : []) {
        if (accepts?.(value)) expect({ value, accepted: accepted?.(value) }).toEqual({ value, accepted: true });
      }
    }
  });

  test("no verdict is unknown", () => {
    expect(pairs.filter(({ verdict }) => verdict === "unknown")).toEqual([]);
  });
});

test("playwright 0.0.45 to 0.0.60: most schemas that differ as JSON differ in notation and prose only", async () => {
  const pairs = await compareVersions("playwright", "0-0-45", "0-0-60");
  const names = (list: Pair[]): string[] => list.map(({ name }) => name.replace("browser_", "")).sort();
  expect(pairs).toHaveLength(21);
  expect(names(pairs.filter(({ changes }) => changes.length === 0))).toHaveLength(13);
  expect(names(pairs.filter(({ verdict }) => verdict === "breaking"))).toEqual([
    "console_messages",
    "network_requests",
    "take_screenshot",
  ]);
  expect(names(pairs.filter(({ verdict, changes }) => verdict === "compatible" && changes.length > 0))).toEqual([
    "click",
    "hover",
    "select_option",
    "snapshot",
    "type",
  ]);
});

test("filesystem 2026.8.31: one result becomes two alternatives, and callers meet a new one", async () => {
  const [pair] = await compareVersions("filesystem", "2026-7-4", "2026-8-31");
  expect(pair).toMatchObject({ name: "read_media_file", direction: "output", verdict: "breaking" });
  expect(pair?.counterexample).toMatchObject({ acceptedBy: "after", rejectedBy: "before" });
  expect(pair?.changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
    "anyOf-added /properties/content/items/anyOf/1",
    "enum-tightened /properties/content/items/anyOf/0/properties/type/enum",
  ]);
});

testJudgedServers();

const VERSIONS: readonly (readonly [string, readonly string[]])[] = [
  ["everything", ["2025-9-25", "2026-1-26", "2026-8-31"]],
  ["filesystem", ["2026-1-14", "2026-7-4", "2026-8-31"]],
  ["memory", ["2026-1-26", "2026-7-4"]],
  ["playwright", ["0-0-45", "0-0-60"]],
];

test("every counterexample between two versions is an object whose names a tool has, or extra", async () => {
  let broken = 0;
  for (const [server, versions] of VERSIONS) {
    const tools = await Promise.all(versions.map((version) => toolsOf(`server-${server}-${version}`)));
    for (const [old, young] of tools.flatMap((a) => tools.map((b) => [a, b] as const))) {
      for (const [name, { inputSchema: after }] of young) {
        const before = old.get(name)?.inputSchema;
        if (before === undefined) continue;
        const { verdict, counterexample } = compareSchemas(before, after, { direction: "input", values: "objects" });
        expect(verdict).not.toBe("unknown");
        if (verdict !== "breaking") continue;
        broken++;
        const call = counterexample?.value;
        expect([validatorOf(before)(call), validatorOf(after)(call)]).toEqual([true, false]);
        expect(Object.prototype.toString.call(call)).toBe("[object Object]");
        const named = [before, after].flatMap((schema) => Object.keys(Object(schema).properties ?? {}));
        for (const member of Object.keys(call as object)) expect(["extra", ...named]).toContain(member);
      }
    }
  }
  expect(broken).toBeGreaterThan(10);
});
