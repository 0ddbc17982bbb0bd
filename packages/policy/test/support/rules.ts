import type { RuleCatalog } from "@agentprint/findings";

const OLD: Readonly<Record<string, string>> = { "tool-prose-changed": "mcp/tool-prose-changed" };

/**
 * Every id belongs to a configurable rule, except `mcp/could-not-tell`, which is fixed, and ids that begin with `no-`.
 */
export const RULES: RuleCatalog = {
  find(given) {
    const id = OLD[given] ?? given;
    return id.startsWith("no-") ? undefined : { id, isConfigurable: id !== "mcp/could-not-tell" };
  },
};
