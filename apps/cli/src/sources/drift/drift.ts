import type { Source } from "../source.ts";

/** How servers differ from their entries. */
export const DRIFT: Source = {
  needed: () => true,
  findings: async (_project, { report: { findings, rules, checked, summary } }) => ({
    last: findings,
    rules,
    checked,
    says: summary,
  }),
};
