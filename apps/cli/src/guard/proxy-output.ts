import type { ProxyOutput } from "@agentprint/guard-proxy";
import type { Context } from "../run/context.ts";
import { printNotices } from "../terminal/notices.ts";
import { printError } from "../terminal/report-error.ts";

/** The output of a proxy that runs in the context of a command. */
export function proxyOutputOf(context: Context): ProxyOutput {
  return {
    stderr: context.stderr,
    notice: (text) => printNotices(context, [text]),
    fail: (error) => printError(context, error),
  };
}
