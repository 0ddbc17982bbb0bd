import type { LockedServer } from "@agentprint/mcp-lock";
import { costFinding, definitionCost, hygieneFindings, type TokenCounter } from "@agentprint/release";
import type { Hygiene } from "./release-report.ts";

/**
 * Returns the notes for the author of a server, and the cost of its definitions. Tokens are counted if gpt-tokenizer is
 * installed.
 *
 * @param before The previous release; `undefined` if there is none
 */
export async function hygieneOf(entry: LockedServer, before: LockedServer | undefined): Promise<Hygiene> {
  const counter = await tokenCounter();
  const cost = definitionCost(entry, counter);
  const costNote = costFinding(entry.name, cost, before && definitionCost(before, counter));
  const uncounted = "To count tokens, install gpt-tokenizer along with agentprint";
  const notes = [counter ? costNote : { ...costNote, note: [costNote.note, uncounted].filter(Boolean).join(". ") }];
  const findings = [...notes, ...hygieneFindings(entry)];
  return { cost, findings: findings.map((finding) => ({ ...finding, section: "For the author" })) };
}

/** Returns the token counter of o200k_base; `undefined` if gpt-tokenizer, whose tables take 30 MB, is not installed. */
async function tokenCounter(): Promise<TokenCounter | undefined> {
  const tokenizer = await import("gpt-tokenizer/encoding/o200k_base").catch(() => undefined);
  // Text of a server that looks like a special token counts as ordinary text.
  const asText = { disallowedSpecial: new Set<string>() };
  return tokenizer && { encoding: "o200k_base", count: (text) => tokenizer.countTokens(text, asText) };
}
