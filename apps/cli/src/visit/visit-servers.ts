import { ownMember } from "@agentprint/canonical-json/json-value";
import type { FoundArtifact } from "@agentprint/launch";
import type { CheckFailure, ServerAuth, VisitAnswers } from "@agentprint/mcp";

import {
  type Limits,
  type LoggedLines,
  notReadContents,
  type StdioTarget,
  VisitError,
  type VisitTarget,
  visitServer,
} from "@agentprint/mcp-visit";
import type { PreparedTarget } from "../artifacts/prepare-target.ts";
import { type InspectedLaunch, inspectLaunch, withArtifacts } from "../launch/inspect-launch.ts";
import { expandLaunch, launchWith, type ServerTarget } from "../launch/server-target.ts";
import { networkVariables } from "../launch/variables.ts";
import type { VisitOptions } from "../options/visit-options.ts";
import { mapConcurrently } from "../run/concurrency.ts";
import type { Context } from "../run/context.ts";
import { asExplained, CliError, type ExplainedError, OtherThanPinnedError } from "../run/errors.ts";
import { loginLine } from "../terminal/command-line.ts";
import { clearProgress, showProgress } from "../terminal/notices.ts";
import type { VisitPlan } from "./visit-plan.ts";

/** The outcome of visiting one server: its answers, or the reason why there are none. */
export type VisitResult =
  | { readonly name: string; readonly answers: VisitAnswers }
  | { readonly name: string; readonly error: ExplainedError };

/** The limits of visits. */
export type VisitLimits = Pick<VisitOptions, keyof Limits | "concurrency" | "leaveOut" | "probeTimeout" | "settle">;

/** Callbacks during a visit. */
export interface VisitHooks {
  /** Called when a server runs, or is about to be called. */
  readonly onOpen?: () => void;
  /** Called before a server is started, with the files of its launch. */
  readonly onInspected?: (name: string, launch: InspectedLaunch) => void;
  /** Prepares the start of a server; is called again if the start itself installed its packages. */
  readonly prepare?: (name: string, target: StdioTarget) => Promise<PreparedTarget>;
  /** Called after a visit with the log output that the server wrote to stdout. */
  readonly onLogged?: (name: string, logged: LoggedLines) => void;
  /** Called with a sentence about an answer that the visit accepts but some client or the guard refuses. */
  readonly onNote?: (name: string, sentence: string) => void;
  /** Called after a visit of a server whose configuration leaves out resources, with those that the server has. */
  readonly onLeftOut?: (name: string, uris: readonly string[], found: readonly string[]) => void;
}

/**
 * Visits servers, a few at a time. If one server fails, the failure is its result, and the other servers are still
 * visited.
 *
 * @throws the reason of the context's signal, when the signal ends the run between two servers
 */
export async function visitServers(
  context: Context,
  targets: readonly ServerTarget[],
  options: VisitLimits,
  planOf: (name: string) => VisitPlan,
  hooks: VisitHooks = {},
): Promise<VisitResult[]> {
  let done = 0;
  const progress = (): void =>
    showProgress(context, `asking ${targets.map(({ name }) => name).join(", ")}: ${done} of ${targets.length} done`);
  const visit = (target: ServerTarget) => answersOrError(context, target, planOf(target.name), options, hooks);
  progress();
  let results: VisitResult[];
  try {
    results = await mapConcurrently(targets, options.concurrency, async (target): Promise<VisitResult> => {
      context.signal?.throwIfAborted();
      const result = await visit(target);
      done++;
      progress();
      return result;
    });
  } finally {
    clearProgress(context);
  }
  return Promise.all(
    results.map((result, index) =>
      afterStepUp(context, result, planOf(result.name).account, () => visit(targets[index] as ServerTarget)),
    ),
  );
}

async function answersOrError(
  context: Context,
  target: ServerTarget,
  plan: VisitPlan,
  options: VisitLimits,
  hooks: VisitHooks,
): Promise<VisitResult> {
  const { name } = target;
  try {
    const answers = await visitTarget(context, target, plan, options, hooks);
    await plan.requireSteady?.(name, answers, () => visitTarget(context, target, plan, options));
    return { name, answers };
  } catch (error) {
    if (error instanceof VisitError) return { name, error: withLogin(await withLogText(error), plan) };
    context.signal?.throwIfAborted();
    return { name, error: asExplained(error) };
  }
}

/** Adds the command that logs in to a pinned server to an error. */
function withLogin(error: VisitError, { pinned }: VisitPlan): VisitError {
  const { httpStatus } = error.details;
  if (pinned === undefined || (httpStatus !== 401 && httpStatus !== 403)) return error;
  const logIn = loginLine(pinned.name, pinned.auth?.account);
  return error.with({
    fix: `log in with ${logIn}, or pass credentials with --header <NAME>, read from AGENTPRINT_HEADER_<NAME>`,
  });
}

/** Returns the result of a second visit if the first one lacked scopes for which a person then logged in, or else the given result. */
async function afterStepUp(
  context: Context,
  result: VisitResult,
  account: string | undefined,
  again: () => Promise<VisitResult>,
): Promise<VisitResult> {
  if (!("error" in result) || result.error.code !== "server-unauthorized") return result;
  const { name } = result;
  const { offerStepUp } = await import("../login/offer-step-up.ts");
  try {
    return (await offerStepUp(context, { ...result, account })) ? await again() : result;
  } catch (error) {
    context.signal?.throwIfAborted();
    return { name, error: asExplained(error) };
  }
}

async function withLogText(error: VisitError): Promise<VisitError> {
  const { serverOutput } = error.details;
  if (serverOutput === undefined) return error;
  const { logText } = await import("./log-text.ts");
  return error.with({ serverOutput: logText(serverOutput) });
}

/**
 * Starts or calls a server, requests everything that the server shows a client, and ends it, even when a request fails.
 *
 * @throws {@link CliError} `missing-variable`, `unreadable-input`, `invalid-config` or `usage` when the launch of the target
 * cannot be completed
 * @throws {@link VisitError} each of its codes when the server does not answer as MCP requires
 */
export async function visitTarget(
  context: Context,
  target: ServerTarget,
  plan: VisitPlan,
  options: VisitLimits,
  { onOpen, onInspected, prepare, onLogged, onNote, onLeftOut }: VisitHooks = {},
): Promise<VisitAnswers> {
  const { ready, auth } = await fillIn(context, target, plan);
  // Read before the server is started, because it could replace the files.
  const inspected =
    ready.type === "stdio" ? await inspectLaunch(context, target.name, ready, target.envFile) : { files: [] };
  onInspected?.(target.name, inspected);
  const ask = async (): Promise<PreparedTarget | undefined> =>
    ready.type === "stdio" ? await prepare?.(target.name, ready) : undefined;
  const prepared = await ask();
  const before = prepared?.artifacts;
  const { leaveOut = {}, probeTimeout, settle } = options;
  const served = await visitServer(prepared?.target ?? ready, {
    ...plan,
    settle,
    limits: options,
    ...(probeTimeout !== undefined && { probeTimeout }),
    ...(onOpen && { onOpen }),
    ...(onLogged && { onLogged: (logged) => onLogged(target.name, logged) }),
    ...(onNote && { onNote: (sentence: string) => onNote(target.name, sentence) }),
    ...(context.channel && { channel: context.channel }),
  });
  const uris = ownMember(leaveOut, target.name) ?? [];
  let answers = served;
  if (uris.length > 0) {
    const { withoutResources } = await import("./left-out.ts");
    const kept = withoutResources(served, uris);
    answers = kept.answers;
    onLeftOut?.(target.name, uris, kept.found);
  }
  if (plan.contents) {
    const { noticeNotRead } = await import("./left-out.ts");
    noticeNotRead(context, target.name, notReadContents(answers));
  }
  const isInstalled = prepared?.packages !== undefined || before?.every(({ source }) => source === "installed");
  const artifacts = (isInstalled ?? true) ? before : joined(before ?? [], (await ask())?.artifacts);
  const seen = artifacts === undefined ? inspected : { ...withArtifacts(inspected, ready, artifacts), artifacts };
  return { ...answers, ...seen, ...(auth && { auth }) };
}

/** Returns the artifacts after a start, with the digests that only the registry had before the start. */
function joined(
  before: readonly FoundArtifact[],
  after: readonly FoundArtifact[] | undefined,
): readonly FoundArtifact[] | undefined {
  return after?.map((artifact) => ({ ...before.find(({ pointer }) => pointer === artifact.pointer), ...artifact }));
}

function hasUserInformation(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}

/** A target that can be visited, and the login that the visit uses. */
interface ReadyTarget {
  readonly ready: VisitTarget;
  readonly auth?: ServerAuth | undefined;
}

/** Fills in the values of a target's variables and headers, and every reference in its launch. */
async function fillIn(context: Context, target: ServerTarget, { pinned, account }: VisitPlan): Promise<ReadyTarget> {
  const values = await target.readValues();
  const launch = launchWith(target.launch, values);
  const expanded = expandLaunch(context, target);
  if (expanded.type === "stdio") {
    if (account !== undefined) throw noLogin(target.name);
    const env = { ...networkVariables(context, launch), ...values };
    return { ready: { ...expanded, ...folderOf(context, expanded.cwd), launch, env } };
  }
  const { url } = expanded;
  const authorized = Object.keys(values).some((name) => name.toLowerCase() === "authorization");
  if (authorized || hasUserInformation(url)) return { ready: { type: "http", launch, url, headers: values } };
  // Loading OAuth takes longer than starting a visit of a command.
  const { openAuthorization } = await import("./open-authorization.ts");
  const { authorization, auth } = await openAuthorization(context, url, { pinned, account });
  return { ready: { type: "http", launch, url, headers: values, authorization }, auth };
}

function noLogin(name: string): CliError {
  return new CliError("usage", `${name} is started by a command, and has no login`, {
    where: "--account",
    expected: "a server over HTTP",
  });
}

/**
 * Returns the folder in which a command is started: the launch's, or else the context's. No folder is given if it would
 * be the folder of the process.
 */
function folderOf(context: Context, cwd: string | undefined): { readonly cwd?: string } {
  return cwd === undefined && context.cwd === "." ? {} : { cwd: context.pathOf(cwd ?? ".") };
}

/** Returns the results in the form that `checkLock` compares with a lock. */
export function answersByName(results: readonly VisitResult[]): Record<string, VisitAnswers | CheckFailure> {
  return Object.fromEntries(
    results.map((result) => [result.name, "error" in result ? failureOf(result.error) : result.answers]),
  );
}

function failureOf(error: ExplainedError): CheckFailure {
  const { code, message } = error;
  return { failure: { code, message, ...(error instanceof OtherThanPinnedError && error.found) } };
}
