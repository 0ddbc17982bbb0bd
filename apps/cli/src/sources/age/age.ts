import type { Finding } from "@agentprint/findings";
import { LOCK_RULES } from "../../rules/check-rules.ts";
import type { Source } from "../source.ts";

/**
 * The pins that are older than `--max-age`, as dated by the commit that gave the entry its current state. The lock
 * holds no such time, because a time would change the lock when nothing else changes.
 */
export const AGE: Source = {
  needed: ({ maxAge }) => maxAge !== undefined,
  findings: async ({ context, file, lock, names, maxAge = 0 }) => {
    const { readLockHistory } = await import("../../git/lock-history.ts");
    const servers = lock.servers.filter(({ name }) => names.length === 0 || names.includes(name));
    const history = await readLockHistory(context, file, { ...lock, servers });
    const last = servers.flatMap(({ name }): Finding[] => {
      const change = history.get(name);
      if (change === undefined || change === "uncommitted") return [];
      const { commit, date, isOrOlder } = change;
      if (Date.now() - Date.parse(date) <= maxAge) return [];
      return [
        {
          rule: "lock/pin-not-verified",
          level: "warning",
          place: { subject: name, server: name },
          message: `nobody has pinned or approved the server since ${date}`,
          before: `commit ${commit}${isOrOlder === true ? ", or an older one" : ""}`,
          isRemark: true,
        },
      ];
    });
    return last.length === 0 ? undefined : { last, rules: LOCK_RULES, isBeyondPolicy: true };
  },
};
