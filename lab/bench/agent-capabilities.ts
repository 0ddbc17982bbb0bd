import { createHash } from "node:crypto";
import {
  computeRuntimeCapabilitiesFromEvaluation,
  computeRuntimeHash,
  evaluateComposable,
  hashPlainObject,
  jsonSchema,
  type Policy,
  policy,
  runtimeCapabilityCanonicalPayload,
  type Tool,
  type ToolSpec,
  tool,
  toolkit,
  toolSpecCanonicalPayload,
} from "@agentprint/agent-capabilities";
import { toolDefinition } from "./corpora.ts";
import type { Comparison, Suite } from "./measure.ts";

const TENANT = { plan: "pro" };
const policies = (count: number): Policy<unknown>[] =>
  Array.from({ length: count }, (_, index) => policy(`tenant:rule-${index}`, () => index % 5 !== 0));

/** Returns tools with the other benchmarks' definitions, each about 1.5 KB when hashed. */
export function tools(count: number, guards: readonly Policy<unknown>[]): Tool[] {
  return Array.from({ length: count }, (_, index) => {
    const { description, inputSchema } = toolDefinition(index + 1) as { description: string; inputSchema: object };
    const guard = guards[index % Math.max(1, guards.length)];
    return tool({
      name: `tool_${index}`,
      description,
      inputSchema: jsonSchema(inputSchema),
      instructions: ["Quote the source of every result.", "Ask before you search more than twice."],
      policies: guard ? [guard] : [],
      handler: () => null,
    });
  });
}

/** Hashes in the obvious way: sorts every object into a new one, stringifies it and hashes the text. */
function naiveHash(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(sortedClone(value)))
    .digest("hex");
}

function sortedClone(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedClone);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sortedClone(member)]));
}

const naiveToolHash = (spec: ToolSpec): string => naiveHash(toolSpecCanonicalPayload(spec));

/** Returns the static hash of a toolkit, computed in the obvious way. */
export function naiveToolkitHash(members: readonly Tool[], name: string): string {
  const hashed = members.map((member) => ({ name: member.name, hash: naiveToolHash(member) }));
  hashed.sort((a, b) => (a.name < b.name ? -1 : 1));
  return naiveHash({ kind: "toolkit", name, instructions: null, members: hashed });
}

/** Calls each policy once, hashes every enabled tool again, and then hashes the list. */
async function naiveRuntimeHash(members: readonly Tool[]): Promise<string> {
  const ctx = { env: TENANT };
  const answers = new Map<Policy, boolean>();
  for (const guard of members.flatMap((member) => member.policies)) {
    if (!answers.has(guard)) answers.set(guard, await guard.evaluate(ctx as never));
  }
  const enabled = members.filter((member) => member.policies.every((guard) => answers.get(guard)));
  const hashed = enabled.map((member) => ({ name: member.name, hash: naiveToolHash(member) }));
  return naiveHash({ kind: "runtime", tools: hashed.sort((a, b) => (a.name < b.name ? -1 : 1)) });
}

/** Compares capability hashing with a sorted clone, JSON.stringify and createHash. */
export const capabilitiesSuite: Suite = {
  title: "Capability hashes (JSON.stringify of a sorted clone + createHash = 1)",
  comparisons: (part = 1) => [staticHash, turn, () => largeRuntimeHash(part * 100_000)],
};

function staticHash(): Comparison {
  const hundred = tools(100, []);
  const kitHash = naiveToolkitHash(hundred, "archive");
  return {
    name: "static hash, toolkit of 100 new tools",
    reference: "naive",
    ours: "agentprint",
    bar: 2,
    isCorrect: (output) => output === kitHash,
    contenders: {
      agentprint: () => toolkit(hundred.map(renewed), { name: "archive" }).staticHash,
      naive: () => naiveToolkitHash(hundred.map(renewed), "archive"),
    },
  };
}

async function turn(): Promise<Comparison> {
  const many = toolkit(tools(1000, policies(50)), { name: "archive" });
  const runtimeHash = await naiveRuntimeHash(many.members);
  return {
    name: "a turn: evaluation and runtime hash, 1,000 tools, 50 policies",
    reference: "naive",
    ours: "agentprint",
    bar: 2,
    isCorrect: (output) => output === runtimeHash,
    contenders: {
      agentprint: async () => {
        const evaluation = await evaluateComposable(many, { env: TENANT });
        return computeRuntimeCapabilitiesFromEvaluation(evaluation).runtimeHash;
      },
      naive: () => naiveRuntimeHash(many.members),
    },
  };
}

function largeRuntimeHash(count: number): Comparison {
  const refs = Array.from({ length: count }, (_, index) => ({ toolKey: `tool_${index}`, toolHash: naiveHash(index) }));
  const payload = runtimeCapabilityCanonicalPayload(refs);
  return {
    name: "runtime hash of 100,000 tools (hash of its payload = 1)",
    reference: "hash of the payload",
    ours: "agentprint",
    bar: 0.5,
    isCorrect: (output) => output === hashPlainObject(payload),
    contenders: {
      agentprint: () => computeRuntimeHash(refs),
      "hash of the payload": () => hashPlainObject(payload),
    },
  };
}

/** Returns the same definition without a cached digest; its schema is already wrapped, which caches its text. */
export function renewed(source: Tool): Tool {
  return tool({ ...source });
}
