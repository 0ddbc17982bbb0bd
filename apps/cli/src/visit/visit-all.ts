import type { CheckFailure, VisitAnswers } from "@agentprint/mcp-lock";
import { takeSnapshot, VisitError, type VisitTarget, visitServer } from "@agentprint/mcp-visit";
import { mapConcurrently } from "../concurrency.ts";
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
  starts: readonly Start[],
  concurrency: number,
  options: VisitOptions,
  planOf: (name: string) => VisitPlan,
): Promise<Visit[]> {
  let done = 0;
  const progress = (): void =>
    showProgress(`asking ${starts.map(({ name }) => name).join(", ")}: ${done} of ${starts.length} done`);
  progress();
  try {
    return await mapConcurrently(starts, concurrency, async (start): Promise<Visit> => {
      const visit = await visitOne(start, planOf(start.name), options);
      done++;
      progress();
      return visit;
    });
  } finally {
    clearProgress();
  }
}

async function visitOne(start: Start, plan: VisitPlan, options: VisitOptions): Promise<Visit> {
  const { name } = start;
  try {
    return { name, answers: await visit(start, plan, options) };
  } catch (error) {
    if (error instanceof CliError || error instanceof VisitError) return { name, error };
    throw error;
  }
}

/** Starts or calls a server, takes everything it says about itself, and ends it, whatever happens in between. */
export async function visit(start: Start, plan: VisitPlan, options: VisitOptions): Promise<VisitAnswers> {
  const target = await targetOf(start);
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
async function targetOf(start: Start): Promise<VisitTarget> {
  const values = await start.values();
  const launch = launchWith(start.launch, values);
  const expanded = expandLaunch(start);
  return expanded.type === "stdio"
    ? { ...expanded, launch, env: values }
    : { type: "http", launch, url: expanded.url, headers: values };
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
