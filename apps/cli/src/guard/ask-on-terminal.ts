import type { GuardOptions } from "@agentprint/guard";
import type { Context } from "../run/context.ts";
import { canAsk } from "../terminal/ask.ts";
import { confirm } from "../terminal/confirm.ts";

/**
 * Returns a function that asks the person at the terminal about calls, one after the other, for clients that cannot ask
 * their user. Returns `undefined` without a terminal: the standard input of a guard between two pipes belongs to the
 * client.
 */
export function askOnTerminal(context: Context): GuardOptions["ask"] {
  if (!canAsk(context)) return undefined;
  let last: Promise<unknown> = Promise.resolve();
  return ({ server, tool, reason }) => {
    const question = `Shall ${JSON.stringify(tool)} of the server ${JSON.stringify(server)} be called? Reason: ${reason}.`;
    const answer = last.then(() => confirm(context, question, false));
    last = answer.catch(() => undefined);
    return answer;
  };
}
