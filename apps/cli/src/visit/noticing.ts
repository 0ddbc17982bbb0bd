import { count } from "@agentprint/findings";
import { prepareOrNotice, type ToPin } from "../artifacts/read-or-notice.ts";
import type { Context } from "../run/context.ts";
import { printNotices } from "../terminal/notices.ts";
import type { VisitHooks } from "./visit-servers.ts";

/** Returns the hooks of a visit before pinning; notices report a server's faults, and anything unknown about it. */
export function noticing(context: Context, toPin: ToPin): VisitHooks {
  return {
    prepare: (name, target) => prepareOrNotice(context, name, target, toPin),
    onNote: (name, sentence) => printNotices(context, [`${name}: ${sentence}`]),
    onLeftOut: (name, uris, found) => {
      const isMissing = (uri: string): boolean => !found.includes(uri);
      const why = (uri: string): string =>
        isMissing(uri) ? "visits.leaveOut names it, but the server does not have it" : "as visits.leaveOut says";
      printNotices(
        context,
        uris.map((uri) => `${isMissing(uri) ? "no" : "not pinned:"} resource ${uri} of ${name}, ${why(uri)}`),
      );
    },
    onLogged: (name, logged) => {
      const lines = count(logged.count, "line");
      const rule = "clients skip them, and the protocol allows only messages there";
      printNotices(context, [`${name} wrote ${lines} of its log to stdout (${rule}); the first: ${logged.first}`]);
    },
  };
}
