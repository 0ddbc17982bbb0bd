import type { JsonObject } from "@agentprint/canonical-json";
import type { LockedServer } from "@agentprint/mcp-lock";

/** Counts the tokens of a text in an encoding, such as `o200k_base`. */
export interface TokenCounter {
  readonly encoding: string;
  count(text: string): number;
}

/** The size of a text in a model's context. */
export interface Cost {
  /** In UTF-8. */
  readonly bytes: number;
  /** The number of tokens; absent without a {@link TokenCounter}. */
  readonly tokens?: number;
}

/** The size of a server's definitions in a model's context. */
export interface DefinitionCost extends Cost {
  /** The name of the token encoding. */
  readonly encoding?: string;
  readonly instructions: Cost;
  /** The size of each tool by its name, the costliest first. */
  readonly tools: Readonly<Record<string, Cost>>;
}

/**
 * Returns the size of a server's tools and instructions in a model's context. A tool counts as the compact JSON of its
 * name, description and input schema; because clients write these in their own form, the cost is useful for comparing
 * releases, but is not exact. If sessions saw different definitions of a tool or different instructions, the longest
 * ones count.
 */
export function definitionCost({ tools, parts }: LockedServer, counter?: TokenCounter): DefinitionCost {
  const texts = new Map<string, string>();
  for (const { definition } of tools) {
    const name = String(definition["name"]);
    texts.set(name, longer(texts.get(name), textOf(definition)));
  }
  const said = parts.flatMap(({ part, value }) => (part === "instructions" && typeof value === "string" ? value : []));
  const instructions = costOf(said.reduce(longer, ""), counter);
  const costs = [...texts].map(([name, text]) => [name, costOf(text, counter)] as const);
  const all = [instructions, ...costs.map(([, cost]) => cost)].reduce(sum);
  const sorted = costs.sort(([, a], [, b]) => (b.tokens ?? b.bytes) - (a.tokens ?? a.bytes));
  return { ...all, ...(counter && { encoding: counter.encoding }), instructions, tools: Object.fromEntries(sorted) };
}

/** Returns a tool's members that clients give to a model. */
function textOf({ name, description, inputSchema }: JsonObject): string {
  return JSON.stringify({ name, description, inputSchema });
}

function costOf(text: string, counter: TokenCounter | undefined): Cost {
  const bytes = new TextEncoder().encode(text).length;
  return { bytes, ...(counter && { tokens: counter.count(text) }) };
}

function sum(a: Cost, b: Cost): Cost {
  const bytes = a.bytes + b.bytes;
  return a.tokens === undefined || b.tokens === undefined ? { bytes } : { bytes, tokens: a.tokens + b.tokens };
}

function longer(a: string | undefined, b: string): string {
  return a !== undefined && a.length >= b.length ? a : b;
}
