import { basename } from "node:path";
import type { ExitCode } from "@agentprint/findings";
import type { ServerTarget } from "../launch/server-target.ts";
import type { Context } from "../run/context.ts";
import { planCheck } from "../visit/visit-plan.ts";
import type { VisitResult } from "../visit/visit-servers.ts";
import type { CheckRequest } from "./check-request.ts";
import { planTargets } from "./plan-targets.ts";
import { type CheckedProject, readProject } from "./read-project.ts";

/** Checks a project as a command line requests; if this fails, no good result of an earlier check remains. */
export async function runCheck(context: Context, request: CheckRequest): Promise<ExitCode> {
  try {
    return await check(context, request);
  } catch (error) {
    if (!context.signal?.aborted) {
      const { replaceGoodStates } = await import("./check-failure.ts");
      await replaceGoodStates(context, error, request);
    }
    throw error;
  }
}

/** Runs the steps of a check: read, plan, visit, collect, judge, write. */
async function check(context: Context, request: CheckRequest): Promise<ExitCode> {
  if (basename(request.launch.lock) === "mcp-pin.lock") {
    const { checkMcpPin } = await import("./mcp-pin.ts");
    return checkMcpPin(context, request);
  }
  const project = await readProject(context, request);
  const targets = await planTargets(project, request);
  const results = await visit(project, targets, request);
  const [{ collectFindings, compareVisits }, { judge }, { writeCheck }] = await loadRest();
  const visits = await compareVisits(project, targets, results);
  const collected = await collectFindings(project, visits);
  const judged = judge(project, visits, collected);
  return writeCheck(project, request, { targets, results, visits, judged });
}

async function visit(
  { context, file, lock, visits }: CheckedProject,
  targets: readonly ServerTarget[],
  { requireIntegrity }: CheckRequest,
): Promise<readonly VisitResult[]> {
  const entryOf = (name: string) => lock.servers.find((entry) => entry.name === name);
  // Loading the modules of a visit takes longer than most commands take to run.
  const { visitServers } = await import("../visit/visit-servers.ts");
  return await visitServers(context, targets, visits, (name) => planCheck(entryOf(name), visits), {
    // Runs while the started servers begin to answer.
    onOpen: () => setImmediate(loadRest),
    prepare: async (name, target) => {
      const entry = entryOf(name);
      // An entry without artifacts leaves nothing to compare, and the package readers take long to load.
      if (entry !== undefined && entry.artifacts === undefined && !requireIntegrity) return { target };
      const { requireArtifacts } = await import("../artifacts/require-artifacts.ts");
      return requireArtifacts(context, entry, target, { lock: file, requireIntegrity });
    },
  });
}

/** Loads the modules of the steps after the visit. */
function loadRest() {
  return Promise.all([import("./collect.ts"), import("./judge.ts"), import("./write-check.ts")]);
}
