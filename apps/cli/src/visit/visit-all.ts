import type { CheckFailure, ServerSnapshot } from "@agentprint/mcp-lock";
import { type Limits, VisitError } from "@agentprint/mcp-visit";
import { mapConcurrently } from "../concurrency.ts";
import { CliError } from "../errors.ts";
import type { JsonObject } from "../json/json-object.ts";
import type { Start } from "../launch/start.ts";
import { clearProgress, showProgress } from "../terminal/progress.ts";
import { takeSnapshot } from "./take-snapshot.ts";

/** What came of visiting one server: what it said, or why that could not be told. */
export type Visit =
  | { readonly name: string; readonly snapshot: ServerSnapshot }
  | { readonly name: string; readonly error: CliError | VisitError };

/** Visits servers, a few at a time. Only failures of the servers themselves end up in the result. */
export async function visitAll(
  starts: readonly Start[],
  concurrency: number,
  limits: Limits,
  capabilitiesOf: (name: string) => JsonObject,
): Promise<Visit[]> {
  let done = 0;
  const progress = (): void =>
    showProgress(`asking ${starts.map(({ name }) => name).join(", ")}: ${done} of ${starts.length} done`);
  progress();
  try {
    return await mapConcurrently(starts, concurrency, async (start): Promise<Visit> => {
      const visit = await visitOne(start, capabilitiesOf(start.name), limits);
      done++;
      progress();
      return visit;
    });
  } finally {
    clearProgress();
  }
}

async function visitOne(start: Start, capabilities: JsonObject, limits: Limits): Promise<Visit> {
  const { name } = start;
  try {
    return { name, snapshot: await takeSnapshot(start, capabilities, limits) };
  } catch (error) {
    if (error instanceof CliError || error instanceof VisitError) return { name, error };
    throw error;
  }
}

/** Visits in the form that a lock is compared with. */
export function foundServers(visits: readonly Visit[]): Record<string, ServerSnapshot | CheckFailure> {
  return Object.fromEntries(
    visits.map((visit) => [visit.name, "error" in visit ? failure(visit.error) : visit.snapshot]),
  );
}

function failure({ code, message }: CliError | VisitError): CheckFailure {
  return { failure: { code, message } };
}
