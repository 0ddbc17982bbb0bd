import type { Finding } from "@agentprint/findings";
import { LOCK_RULES } from "../../rules/check-rules.ts";
import { isCheck, type Source } from "../source.ts";

/** The lists that depend on the login; few locks have more than one. */
export const LOGINS: Source = {
  needed: (project) => isCheck(project) && project.lock.servers.filter(({ auth }) => auth !== undefined).length > 1,
  findings: async ({ lock }) => {
    const { listsByLogin } = await import("@agentprint/mcp-lock");
    const last = listsByLogin(lock.servers).map(
      ({ server, other, list, onlyServer, onlyOther, changed }): Finding => ({
        rule: "lock/list-by-login",
        level: "note",
        place: { subject: other, server: other },
        message: `${list} depend on the login: they differ from those of ${server}`,
        ...(onlyServer.length > 0 && { before: [...onlyServer] }),
        ...(onlyOther.length > 0 && { after: [...onlyOther] }),
        ...(changed.length > 0 && { note: `Defined differently: ${changed.join(", ")}` }),
        isRemark: true,
      }),
    );
    return last.length === 0 ? undefined : { last, rules: LOCK_RULES, isBeyondPolicy: true };
  },
};
