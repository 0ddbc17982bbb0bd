import type { FoundServers } from "../clients/find-servers.ts";
import type { Context } from "../run/context.ts";
import { printNotices } from "../terminal/notices.ts";
import { printError } from "../terminal/report-error.ts";

/**
 * Writes the configurations that could not be read, and the servers that one client disables although others may start
 * them.
 */
export function tellFound(context: Context, { problems, leftOff }: FoundServers): void {
  for (const problem of problems) printError(context, problem);
  printNotices(
    context,
    leftOff.map(({ name, says }) => `${name} is left out: ${says}`),
  );
}
