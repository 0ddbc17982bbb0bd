import type { CheckFailure, VisitAnswers } from "@agentprint/mcp-lock";
import { takeSnapshot, VisitError, type VisitTarget, visitServer } from "@agentprint/mcp-visit";
import { mapConcurrently } from "../concurrency.ts";
import { type Context, pathIn } from "../context.ts";
import { CliError } from "../errors.ts";
import { expandLaunch, launchWith, type Start } from "../launch/start.ts";
import { clearProgress, showProgress } from "../terminal/progress.ts";
import type { VisitOptions } from "../visit-options.ts";
import { answersOfSnapshot } from "./answers-of-snapshot.ts";
import type { VisitPlan } from "./visit-plan.ts";

/** What came of visiting one server: what it said, or why that could not be told. */
export type Visit =
  | { readonly name: string; readonly answers: VisitAnswers }
  | { readonly name: string; readonly error: CliError | VisitError };

/** Visits servers, a few at a time. Only failures of the servers themselves end up in the result. */
export async function visitAll(
  context: Context,
  starts: readonly Start[],
  concurrency: number,
  options: VisitOptions,
  planOf: (name: string) => VisitPlan,
): Promise<Visit[]> {
  let done = 0;
  const progress = (): void =>
    showProgress(context, `asking ${starts.map(({ name }) => name).join(", ")}: ${done} of ${starts.length} done`);
  progress();
  try {
    return await mapConcurrently(starts, concurrency, async (start): Promise<Visit> => {
      context.signal?.throwIfAborted();
      const visit = await visitOne(context, start, planOf(start.name), options);
      done++;
      progress();
      return visit;
    });
  } finally {
    clearProgress(context);
  }
}

async function visitOne(context: Context, start: Start, plan: VisitPlan, options: VisitOptions): Promise<Visit> {
  const { name } = start;
  try {
    return { name, answers: await visit(context, start, plan, options) };
  } catch (error) {
    if (error instanceof CliError || error instanceof VisitError) return { name, error };
    throw error;
  }
}

/** Starts or calls a server, takes everything it says about itself, and ends it, whatever happens in between. */
export async function visit(
  context: Context,
  start: Start,
  plan: VisitPlan,
  options: VisitOptions,
): Promise<VisitAnswers> {
  const target = await targetOf(context, start);
  if (plan.lockVersion === 1) {
    return answersOfSnapshot(await takeSnapshot(target, plan.capabilities ?? {}, options));
  }
  const { probeTimeout, settle } = options;
  return visitServer(target, {
    ...plan,
    settle,
    limits: options,
    ...(probeTimeout !== undefined && { probeTimeout }),
  });
}

/** How a server is visited: its launch with every reference filled in. */
async function targetOf(context: Context, start: Start): Promise<VisitTarget> {
  const values = await start.values();
  const launch = launchWith(start.launch, values);
  const expanded = expandLaunch(context, start);
  return expanded.type === "stdio"
    ? { ...expanded, ...folderOf(context, expanded.cwd), launch, env: values }
    : { type: "http", launch, url: expanded.url, headers: values };
}

/** The folder that a command is started in: that of the launch, or of the context where that is not the folder of the process. */
function folderOf(context: Context, cwd: string | undefined): { readonly cwd?: string } {
  return cwd === undefined && context.cwd === "." ? {} : { cwd: pathIn(context, cwd ?? ".") };
}

/** Visits in the form that a lock is compared with. */
export function foundServers(visits: readonly Visit[]): Record<string, VisitAnswers | CheckFailure> {
  return Object.fromEntries(
    visits.map((visit) => [visit.name, "error" in visit ? failure(visit.error) : visit.answers]),
  );
}

function failure({ code, message }: CliError | VisitError): CheckFailure {
  return { failure: { code, message } };
}
