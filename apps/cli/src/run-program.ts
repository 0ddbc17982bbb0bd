import { hideCommandLine } from "./launch/launch-secrets.ts";
import { Program } from "./program.ts";
import type { Context } from "./run/context.ts";
import { CliError } from "./run/errors.ts";
import { reportError } from "./terminal/report-error.ts";

/** Runs the command line that a context contains; returns its exit code. */
export async function run(context: Context): Promise<number> {
  try {
    return await new Program(context).run();
  } catch (error) {
    hideCommandLine(context, !(error instanceof CliError && error.code === "usage"));
    const isEnded = context.signal?.aborted === true;
    return reportError(context, isEnded ? new CliError("ended", "the run was stopped before it finished") : error);
  }
}
