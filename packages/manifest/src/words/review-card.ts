import type { Language } from "./language.ts";

/**
 * The sentence on the card that every user of an agent gets after a breaking change. The Chinese sentence is the
 * specification's.
 *
 * @example
 * ```ts
 * import { REVIEW_CARD } from "@agentprint/manifest";
 *
 * console.log(REVIEW_CARD.zh); // "Agent 能力变更,请重新审阅权限"
 * ```
 */
export const REVIEW_CARD: Readonly<Record<Language, string>> = Object.freeze({
  en: "The agent's capabilities changed. Please review its permissions again.",
  zh: "Agent 能力变更,请重新审阅权限",
});
