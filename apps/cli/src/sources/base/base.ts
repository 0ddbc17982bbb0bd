import { LOCK_RULES } from "../../rules/check-rules.ts";
import type { Source } from "../source.ts";

/** The changes that were accepted after the commit that judges them. */
export const BASE: Source = {
  needed: ({ base }) => base !== undefined,
  findings: async ({ base, lock, names, judgement }) => {
    if (base === undefined) return undefined;
    const { changeSentences, lockNotes } = await import("./lock-notes.ts");
    const last = await lockNotes(base, lock, names);
    const change = changeSentences(base, last, judgement);
    return { last, rules: last.length > 0 ? LOCK_RULES : {}, change, isBeyondPolicy: true };
  },
};
