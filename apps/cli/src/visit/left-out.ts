import { isJsonObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import { printable } from "@agentprint/canonical-json/text";
import { count } from "@agentprint/findings";
import type { SessionAnswers, VisitAnswers } from "@agentprint/mcp";
import type { NotRead } from "@agentprint/mcp-visit";
import type { Context } from "../run/context.ts";
import { printNotices } from "../terminal/notices.ts";

/** A server's answers without some resources, and which of these resources the server has. */
export interface WithoutResources {
  readonly answers: VisitAnswers;
  readonly found: readonly string[];
}

/** Removes the resources with these URIs from the lists and contents of a server. */
export function withoutResources(answers: VisitAnswers, uris: readonly string[]): WithoutResources {
  const found = new Set<string>();
  const isLeftOut = (uri: unknown): boolean => {
    if (typeof uri !== "string" || !uris.includes(uri)) return false;
    found.add(uri);
    return true;
  };
  const sessions = answers.sessions.map((session): SessionAnswers => {
    const { resources } = session.lists;
    const kept = resources?.map((pages) => pages.map((page) => withoutItems(page, isLeftOut)));
    return {
      ...session,
      lists: { ...session.lists, ...(kept && { resources: kept }) },
      contents: session.contents.filter(({ kind, name }) => kind === "prompt" || !isLeftOut(name)),
    };
  });
  return { answers: { ...answers, sessions }, found: [...found] };
}

function withoutItems(page: JsonObject, isLeftOut: (uri: unknown) => boolean): JsonObject {
  const { resources } = page;
  if (!Array.isArray(resources)) return page;
  return { ...page, resources: resources.filter((item) => !(isJsonObject(item) && isLeftOut(item["uri"]))) };
}

/** The maximum number of names of one kind that a notice lists, and of characters of each. */
const [MAX_NAMES, MAX_NAME] = [20, 80];

/** Reports how many prompts and resource templates of a server are not read with its contents, and which. */
export function noticeNotRead(context: Context, server: string, { prompts, resourceTemplates }: NotRead): void {
  const kinds = [
    ...inWords(prompts, "prompt", " with required arguments"),
    ...inWords(resourceTemplates, "resource template", ""),
  ];
  if (kinds.length === 0) return;
  printNotices(context, [`${server}: items that need a user's input are neither read nor pinned: ${kinds.join("; ")}`]);
}

function inWords(names: readonly string[], one: string, which: string): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, MAX_NAMES).map((name) => printable(name, MAX_NAME));
  const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : "";
  return [`${count(names.length, one)}${which} (${shown.join(", ")}${more})`];
}
