import type { ClientId } from "@agentprint/client-configs";
import type { VisitAnswers } from "@agentprint/mcp";
import { createLock, type LockedServer, type LockFile, withServer } from "@agentprint/mcp-lock";
import { CLIENT_PROFILES } from "@agentprint/mcp-visit";
import { VisitError } from "@agentprint/mcp-visit/errors";
import type { FoundServer } from "../clients/find-servers.ts";
import { lockNewUnder } from "../lock/lock-new.ts";
import type { SpeakerOptions, ValueOptions, VisitOptions } from "../options/visit-options.ts";
import type { ReadPolicy } from "../policy/read-policy.ts";
import type { Context } from "../run/context.ts";
import { asExplained, type ExplainedError } from "../run/errors.ts";
import { printError } from "../terminal/report-error.ts";
import { noticing } from "../visit/noticing.ts";
import { allowedIn, steadyUnder } from "../visit/steady-server.ts";
import { planPin, type VisitPlan } from "../visit/visit-plan.ts";
import type { VisitResult } from "../visit/visit-servers.ts";

/** A server that did not start, or cannot be pinned. */
export interface FailedVisit {
  readonly name: string;
  readonly error: ExplainedError;
}

/** The entries of the servers that can be pinned, and what these servers answered, by server name. */
interface VisitedServers {
  readonly entries: readonly LockedServer[];
  readonly answers: Readonly<Record<string, VisitAnswers>>;
  readonly failures: readonly FailedVisit[];
}

type FoundVisitOptions = Omit<VisitOptions, keyof (ValueOptions & SpeakerOptions)> & { readonly lock: string };

/**
 * Visits servers. A server that does not answer is visited again at the end, because a slow one may need the
 * machine for itself. A server that cannot be pinned is reported, and the others are still visited.
 */
export async function visitFound(
  context: Context,
  servers: readonly FoundServer[],
  options: FoundVisitOptions,
  policy: ReadPolicy,
): Promise<VisitedServers> {
  const first = await visitsOf(context, servers, options);
  const silent = servers.filter(({ name }) => first.some((each) => each.name === name && hasNoAnswer(each)));
  const again = silent.length === 0 ? [] : await visitsOf(context, silent, { ...options, concurrency: 1 });
  const visits = first.map((each) => again.find(({ name }) => name === each.name) ?? each);
  const lockNew = lockNewUnder(context, policy);
  const entries: LockedServer[] = [];
  const answers = new Map<string, VisitAnswers>();
  const failures: FailedVisit[] = [];
  for (const visit of visits) {
    const { name } = visit;
    try {
      if ("error" in visit) throw visit.error;
      entries.push(lockNew(name, visit.answers, allowedIn(name, visit.answers, options)));
      answers.set(name, visit.answers);
    } catch (error) {
      const failure = { name, error: asExplained(error) };
      failures.push(failure);
      printError(context, failure.error, name);
    }
  }
  return { entries, answers: Object.fromEntries(answers), failures };
}

function hasNoAnswer(visit: VisitResult): boolean {
  return "error" in visit && visit.error instanceof VisitError;
}

/** Visits each server as the client that configures it, and returns the results. */
async function visitsOf(
  context: Context,
  servers: readonly FoundServer[],
  options: FoundVisitOptions,
): Promise<VisitResult[]> {
  const targets = servers.map(({ name, target }) => ({ ...target, name }));
  const profiles = new Map(servers.map((server) => [server.name, profileOf(server)]));
  const allowed = (name: string, answers: VisitAnswers) => allowedIn(name, answers, options);
  const requireSteady = steadyUnder(context, allowed);
  const planOf = (name: string): VisitPlan => {
    const as = profiles.get(name);
    return { ...planPin(as === undefined ? options : { ...options, as }), requireSteady };
  };
  const { visitServers } = await import("../visit/visit-servers.ts");
  return visitServers(
    context,
    targets,
    options,
    planOf,
    noticing(context, { lock: options.lock, scripts: [], allowing: "pin" }),
  );
}

/** Adds these entries to a lock; an existing entry is left unchanged. */
export function withNewEntries(lock: LockFile | undefined, entries: readonly LockedServer[]): LockFile {
  const before = lock ?? createLock({});
  const pinned = new Set(before.servers.map(({ name }) => name));
  return entries.filter(({ name }) => !pinned.has(name)).reduce<LockFile>(withServer, before);
}

/** The profiles whose id differs from their client's. */
const OTHER_IDS: Readonly<Partial<Record<ClientId, string>>> = { gemini: "gemini-cli" };

/** Returns the client that a visit imitates: the first known client with the server; `undefined` if none has it. */
function profileOf({ places }: Pick<FoundServer, "places">): string | undefined {
  const ids = places.flatMap(({ client }) => (client ? [OTHER_IDS[client.id] ?? client.id] : []));
  return ids.find((id) => CLIENT_PROFILES.some((profile) => profile.id === id));
}
