import { isJsonObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import type { SessionAnswers, VisitAnswers } from "@agentprint/mcp";

/** Answers without some resources, and which of these the server has. */
export interface WithoutResources {
  readonly answers: VisitAnswers;
  readonly found: readonly string[];
}

/** Takes the resources of these URIs out of the lists and contents of a server. */
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
