import { existsSync } from "node:fs";
import type { Finding } from "@agentprint/findings";
import { wrappedFolder } from "../../files/state-folder.ts";
import { CLIENT_RULES } from "../../rules/check-rules.ts";
import type { Context } from "../../run/context.ts";
import { CliError } from "../../run/errors.ts";
import { isCheck, type Source } from "../source.ts";

const RULE = { rule: "client/guard-replaced", level: "error" } as const;

/** The guards that are gone, if some were put into configurations on this machine. */
export const GUARDS: Source = {
  needed: (project) => isCheck(project) && existsSync(wrappedFolder(project.context)),
  findings: async ({ context, file }, { drift }) => {
    const first = await replaced(
      context,
      file,
      drift.servers.map(({ server }) => server),
    );
    if (first.length === 0) return undefined;
    const isUnknown = first.some(({ couldNotTell }) => couldNotTell === true);
    return {
      first,
      rules: CLIENT_RULES,
      ...(!isUnknown && { says: "the guard was replaced in a configuration" }),
      isBeyondPolicy: true,
    };
  },
};

/** Returns the findings on the replaced guards of these servers in the configurations of this machine. */
async function replaced(context: Context, lock: string, servers: readonly string[]): Promise<Finding[]> {
  // Loading the readers of all client formats takes longer than a complete check without them.
  const { replacedGuards } = await import("../../wrap/replaced-guards.ts");
  try {
    const guards = await replacedGuards(context, lock);
    return guards
      .filter(({ server }) => servers.includes(server))
      .map(({ server, config, reason, couldNotTell }) => ({
        ...RULE,
        place: { subject: `${server} in ${config}`, server },
        message: couldNotTell
          ? `whether it starts the guard: ${reason}`
          : `it does not start the guard any more: ${reason}`,
        ...(couldNotTell && { couldNotTell }),
      }));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return [{ ...RULE, place: { subject: wrappedFolder(context) }, message: error.message, couldNotTell: true }];
  }
}
