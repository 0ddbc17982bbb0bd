import { isSameJson, type JsonValue } from "@agentprint/canonical-json";
import {
  type Era,
  eraOf,
  LEGACY_VERSIONS,
  LISTS,
  MODERN_VERSIONS,
  type SessionAnswers,
  type View,
  type VisitAnswers,
} from "@agentprint/mcp";
import { checkArgument, checkTarget } from "./check-argument.ts";
import { VisitError } from "./errors.ts";
import { requireNoSurvivors } from "./process/survivors-error.ts";
import { profileOf, requireProfile } from "./session/client-profiles.ts";
import type { VisitTarget } from "./target.ts";
import { type EraOrder, Visit } from "./visit.ts";
import type { VisitOptions } from "./visit-options.ts";

/**
 * Visits a server in each era that it supports and in each view in the options, and returns its raw answers. Both eras
 * are visited at the same time, each in its own process, and so are the views. If the views or the items of two eras
 * differ, if a view fails, or if a process ends without a greeting, the server may be unable to run twice at the same
 * time, so it is visited again, one process at a time.
 *
 * A server must support at least one era. An era is missing only if the server refuses its first request, ends, or is
 * silent while the other era answers. With any other failure, the entire visit fails.
 *
 * @throws {@link VisitError} `invalid-target`, `server-not-started`, `server-unreachable` if the launch cannot be used.
 * @throws {@link VisitError} `server-ended`, `server-timeout`, `server-garbage`, `server-error`, `server-limit`,
 * `server-unstable` if the server does not answer the requests for its lists.
 * @throws {@link VisitError} `server-survived` if some of the server's processes could not be ended.
 * @throws {@link VisitError} `aborted` if `options.signal` aborts.
 *
 * @example
 * ```ts
 * import { DEFAULT_LIMITS, DEFAULT_SETTLE, visitServer } from "@agentprint/mcp-visit";
 *
 * const launch = { type: "stdio" as const, command: "node", args: ["no-server.js"], env: [] };
 * const visit = visitServer(
 *   { type: "stdio", launch, command: "node", args: launch.args, env: {} },
 *   {
 *     client: "claude-code",
 *     views: ["client", "bare"],
 *     protocol: "auto",
 *     settle: DEFAULT_SETTLE,
 *     contents: false,
 *     limits: DEFAULT_LIMITS,
 *   },
 * );
 * console.log(await visit.catch((error) => error.code)); // server-ended
 * ```
 */
export async function visitServer(target: VisitTarget, options: VisitOptions): Promise<VisitAnswers> {
  checkTarget("target", target);
  checkArgument("options", options, "object");
  const client = requireProfile(options);
  const { eras, version } = requireEras(options.protocol);
  const visit = new Visit(target, options, version);
  let sessions: readonly SessionAnswers[] = [];
  const visiting = async (): Promise<void> => {
    const ask = (view: View, order: EraOrder): Promise<SessionAnswers[]> =>
      visit.eras(view, profileOf(view, client), eras, order);
    sessions = await askViews(visit, options.views, ask);
  };
  const failed = await visit.run(visiting());
  const survivors = await visit.end();
  requireNoSurvivors(survivors, failed);
  if (failed !== undefined) throw failed;
  if (visit.logged) options.onLogged?.(visit.logged);
  return { launch: target.launch, client: client.id, clientCapabilities: client.capabilities, sessions };
}

/** The codes of failures that occur whether a server runs once or twice. */
const OWN_FAILURES: readonly unknown[] = Object.freeze([
  "aborted",
  "invalid-target",
  "server-not-started",
  "server-unreachable",
  "server-unauthorized",
  "server-timeout",
  "server-garbage",
  "server-limit",
]);

/**
 * Visits in every view at the same time. If the views differ, if one of them fails, if a process ends without a
 * greeting, or if the eras of a view have different items, the server may be unable to run twice at the same time, or
 * may answer differently when it does, so it is visited again, one process at a time.
 */
async function askViews(
  visit: Visit,
  views: readonly View[],
  ask: (view: View, order: EraOrder) => Promise<SessionAnswers[]>,
): Promise<readonly SessionAnswers[]> {
  const [view, ...others] = views;
  if (view !== undefined && others.length === 0) return ask(view, "retrying");
  const outcomes = await Promise.allSettled(views.map((each) => ask(each, "at-once")));
  const answered = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  const failures = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  const isCertain = areAlike(answered) && !visit.hasEnded && answered.every(haveEqualItems);
  if (failures.length === 0 && isCertain) return answered.flat();
  if (answered.length === 0 && failures.every(({ code }) => OWN_FAILURES.includes(code))) throw failures[0];
  await visit.startAgain();
  const sessions: SessionAnswers[] = [];
  for (const each of views) sessions.push(...(await ask(each, "in-turn")));
  return sessions;
}

/** Returns whether every view has the same eras, and the same answers in each era. */
function areAlike(views: readonly (readonly SessionAnswers[])[]): boolean {
  const [first, ...others] = views.map((sessions) => sessions.map(({ view: _view, ...answers }) => answers));
  return others.every((other) => isSameJson(other as unknown as JsonValue, first as unknown as JsonValue));
}

/** Returns whether the sessions of a view list the same items. */
function haveEqualItems([first, ...others]: readonly SessionAnswers[]): boolean {
  return first === undefined || others.every((other) => isSameJson(itemsOf(other), itemsOf(first)));
}

/** Returns the items in the last reading of each list, page by page. */
function itemsOf({ lists }: SessionAnswers): JsonValue {
  return LISTS.map(({ list }) => lists[list]?.at(-1)?.map((page) => page[list] ?? null) ?? null);
}

function requireEras(protocol: string): { readonly eras: readonly Era[]; readonly version: string | undefined } {
  if (protocol === "auto") return { eras: ["legacy", "modern"], version: undefined };
  if (protocol === "legacy" || protocol === "modern") return { eras: [protocol], version: undefined };
  const era = eraOf(protocol);
  if (era !== undefined) return { eras: [era], version: protocol };
  throw new VisitError("invalid-target", `the protocol version ${protocol} is not supported`, {
    expected: ["auto", ...MODERN_VERSIONS, ...LEGACY_VERSIONS].join(", "),
  });
}
