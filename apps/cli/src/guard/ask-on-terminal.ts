import type { GuardOptions } from "@agentprint/guard";
import type { Context } from "../context.ts";
import { canAsk } from "../terminal/ask.ts";
import { confirm } from "../terminal/confirm.ts";

/**
 * Asks whoever started the guard about calls, one after the other, where the client cannot ask its user; `undefined` where there is no
 * terminal. The standard input of a guard between two pipes is the client's: nobody is asked there.
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
