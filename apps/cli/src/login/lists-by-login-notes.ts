import type { Finding } from "@agentprint/findings";
import { type LockFile, listsByLogin } from "@agentprint/mcp-lock";

/** Returns a note for each list of the lock that depends on the login. */
export function listsByLoginNotes({ servers }: LockFile): Finding[] {
  return listsByLogin(servers).map(({ server, other, list, onlyServer, onlyOther, changed }) => ({
    rule: "lock/list-by-login",
    level: "note",
    place: { subject: other, server: other },
    message: `${list} depend on the login: they are others than those of ${server}`,
    ...(onlyServer.length > 0 && { before: [...onlyServer] }),
    ...(onlyOther.length > 0 && { after: [...onlyOther] }),
    ...(changed.length > 0 && { note: `Defined otherwise: ${changed.join(", ")}` }),
    isRemark: true,
  }));
}
