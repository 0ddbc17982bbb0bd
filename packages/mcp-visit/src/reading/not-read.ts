import { isJsonObject, type JsonObject } from "@agentprint/canonical-json";
import { LISTS, type ListName, type VisitAnswers } from "@agentprint/mcp";
import { checkArgument } from "../check-argument.ts";
import { needsArguments } from "./read-contents.ts";

/**
 * The items that a visit with contents lists but cannot read, because that requires values from a user: sorted names,
 * without duplicates.
 */
export interface NotRead {
  /** The names of prompts with required arguments. */
  readonly prompts: readonly string[];
  /** The URI templates of resources. */
  readonly resourceTemplates: readonly string[];
}

/**
 * Returns a server's prompts and resource templates whose contents no visit reads.
 *
 * @example
 * ```ts
 * import { notReadContents } from "@agentprint/mcp-visit";
 *
 * console.log(notReadContents(answers).prompts.length); // 0
 * ```
 */
export function notReadContents(answers: VisitAnswers): NotRead {
  checkArgument("answers", answers, { sessions: ["object"] });
  return {
    prompts: namesIn(answers, "prompts", needsArguments),
    resourceTemplates: namesIn(answers, "resourceTemplates", () => true),
  };
}

function namesIn({ sessions }: VisitAnswers, list: ListName, isOne: (item: JsonObject) => boolean): string[] {
  const key = LISTS.find((each) => each.list === list)?.key ?? "name";
  const pages = sessions.flatMap(({ lists }) => lists[list]?.at(-1) ?? []);
  const items = pages.flatMap((page) => (Array.isArray(page[list]) ? page[list] : [])).filter(isJsonObject);
  return [
    ...new Set(items.filter(isOne).flatMap(({ [key]: name }) => (typeof name === "string" ? [name] : []))),
  ].sort();
}
