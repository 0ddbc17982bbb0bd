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
 * Visits a server in each era that it supports and in each view of the options, and returns its raw answers. Both eras
 * are visited at the same time, each in its own process, and so are the views. If the views or the items of two eras differ, a view
 * fails, or a process ends without a greeting, the server may be unable to run twice at the same time: it is visited again, one
 * process at a time.
 *
 * A server must support at least one era. An era is missing only if the server refuses its first request, ends, or is
 * silent while the other era answers. Any other failure fails the complete visit.
 *
 * @throws {@link VisitError} `invalid-target`, `server-not-started`, `server-unreachable` when the launch cannot be used.
 * @throws {@link VisitError} `server-ended`, `server-timeout`, `server-garbage`, `server-error`, `server-limit`,
 * `server-unstable` when the server does not answer the lists.
 * @throws {@link VisitError} `server-survived` when processes of the server could not be ended.
 * @throws {@link VisitError} `aborted` when `options.signal` aborts.
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

/** Codes of failures that a server has whether it runs once or twice. */
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
 * Visits in every view at the same time. If the views differ, one of them fails, a process ends without a greeting, or
 * the eras of a view have different items, the server may be unable to run twice at once, or may answer differently
 * then: it is visited again, one process at a time.
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

/** Returns whether every view has the same eras, and the same answers in them. */
function areAlike(views: readonly (readonly SessionAnswers[])[]): boolean {
  const [first, ...others] = views.map((sessions) => sessions.map(({ view: _view, ...answers }) => answers));
  return others.every((other) => isSameJson(other as unknown as JsonValue, first as unknown as JsonValue));
}

/** Returns whether the sessions of a view list the same items. */
function haveEqualItems([first, ...others]: readonly SessionAnswers[]): boolean {
  return first === undefined || others.every((other) => isSameJson(itemsOf(other), itemsOf(first)));
}

/** Returns the items of each list as it was read last, page by page. */
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
