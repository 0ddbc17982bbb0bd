import { isJsonObject, type JsonObject } from "@agentprint/canonical-json";
import { LISTS, type ListName, type VisitAnswers } from "@agentprint/mcp";
import { checkArgument } from "../check-argument.ts";
import { needsArguments } from "./read-contents.ts";

/** What a visit with contents lists and cannot read, because that takes values that only a user has; sorted names, each once. */
export interface NotRead {
  /** The names of prompts with required arguments. */
  readonly prompts: readonly string[];
  /** The URI templates of resources. */
  readonly resourceTemplates: readonly string[];
}

/**
 * Returns the prompts and the resource templates of a server whose contents no visit reads.
 *
 * @example
 * ```ts
 * import { notReadContents } from "@agentprint/mcp-visit";
 *
 * const prompts = [{ name: "greet", arguments: [{ name: "whom", required: true }] }, { name: "help" }];
 * const session = { era: "legacy", view: "client", protocolVersion: "2025-11-25", greetings: [], contents: [] } as const;
 * const launch = { type: "http", url: "https://mcp.example.com", headers: [] } as const;
 * const sessions = [{ ...session, lists: { prompts: [[{ prompts }]] } }];
 * console.log(notReadContents({ launch, client: "bare", clientCapabilities: {}, sessions }).prompts); // [ 'greet' ]
 * ```
 */
export function notReadContents(answers: VisitAnswers): NotRead {
  checkArgument("answers", answers, "object");
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
