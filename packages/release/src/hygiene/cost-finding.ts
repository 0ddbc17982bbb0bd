import { type Finding, findingKinds } from "@agentprint/findings";
import { RELEASE_RULES, type ReleaseRuleId } from "../rules.ts";
import type { Cost, DefinitionCost } from "./definition-cost.ts";

const byRule = /* @__PURE__ */ findingKinds(RELEASE_RULES);

/** The maximum number of tools that the message names. */
const MAX_NAMED = 20;

/**
 * Returns the note on the size of a server's definitions in a model's context, tool by tool, the costliest first.
 *
 * @param subject The server's name for readers
 * @param before The cost of the previous release; `undefined` if there is no previous release
 */
export function costFinding(
  subject: string,
  cost: DefinitionCost,
  before: DefinitionCost | undefined,
): Finding<ReleaseRuleId> {
  const unit = cost.encoding === undefined ? "" : ` of ${cost.encoding}`;
  const message = `the definitions take ${inWords(cost)}${unit} of a model's context${change(cost, before)}`;
  const costs = Object.entries(cost.tools);
  const named = costs.slice(0, MAX_NAMED).map(([name, own]) => {
    return `${name} ${own.tokens ?? own.bytes}${before === undefined ? "" : before.tools[name] ? change(own, before.tools[name]) : ", new"}`;
  });
  const more = costs.length > MAX_NAMED ? [`and ${costs.length - MAX_NAMED} more`] : [];
  return {
    ...byRule("release/context-cost", message),
    place: { subject, server: subject },
    ...(costs.length > 0 && {
      note: `${cost.tokens === undefined ? "Bytes" : "Tokens"} by tool: ${[...named, ...more].join("; ")}`,
    }),
  };
}

function inWords({ bytes, tokens }: Cost): string {
  return tokens === undefined ? `${bytes} bytes` : `${bytes} bytes, ${tokens} tokens`;
}

/** Returns the difference from the previous release; empty if there is no difference or no previous release. */
function change(cost: Cost, before: Cost | undefined): string {
  if (before === undefined) return "";
  const more = (cost.tokens ?? cost.bytes) - (before.tokens ?? before.bytes);
  return more === 0 ? "" : `, ${Math.abs(more)} ${more > 0 ? "more" : "fewer"} than before`;
}
