import type { JsonObject } from "@agentprint/canonical-json/json-value";
import type { ServerAuth, View, VisitAnswers } from "@agentprint/mcp";
import type { LockedServer } from "@agentprint/mcp-lock";
import { DEFAULT_CLIENT } from "@agentprint/mcp-visit";
import type { VisitOptions } from "../options/visit-options.ts";

/** The client that a visit imitates, and what the visit reads. */
export interface VisitPlan {
  /** The client's id: `claude-code`, `cursor`, …, or `bare`. */
  readonly client: string;
  /** The capabilities that the view `client` declares instead of those that its client is known to declare. */
  readonly capabilities?: JsonObject;
  readonly views: readonly View[];
  readonly contents: boolean;
  readonly protocol: string;
  /** The account whose login is used for the visit; absent for the login without a name. */
  readonly account?: string | undefined;
  /** The entry of the server, as far as it names the login for the server; absent for a server without an entry. */
  readonly pinned?: PinnedLogin;
  /** Requires that a server gives the same answers at each start before they are pinned; `ask` visits it again. */
  readonly requireSteady?: (name: string, answers: VisitAnswers, ask: () => Promise<VisitAnswers>) => Promise<void>;
}

/** The login that an entry holds. */
export interface PinnedLogin {
  /** The name of the server. */
  readonly name: string;
  /** The pinned login; absent if the server was pinned without one. */
  readonly auth?: ServerAuth | undefined;
  /** Whether the visit is for a review, in which a login may have moved since the pin. */
  readonly isReview: boolean;
}

type PlanOptions = Pick<VisitOptions, "as" | "capabilities" | "contents" | "protocol" | "views">;

/**
 * Returns the plan for pin: a visit as a common client and as a bare one, because a server can hide items from one of
 * them.
 */
export function planPin(options: PlanOptions & { readonly account?: string }): VisitPlan {
  const { as: client = DEFAULT_CLIENT, views = "all", capabilities, contents, protocol, account } = options;
  return { client, account, views: viewsOf(client, views), contents, protocol, ...(capabilities && { capabilities }) };
}

/** Returns the plan for check: a visit as in the entry. */
export function planCheck(entry: LockedServer | undefined, options: PlanOptions): VisitPlan {
  const { contents, protocol, views = "client" } = options;
  if (entry === undefined) return planPin({ ...options, views });
  const { client, clientCapabilities: capabilities } = entry;
  return {
    client,
    views: viewsOf(client, views),
    protocol,
    account: entry.auth?.account,
    pinned: { name: entry.name, auth: entry.auth, isReview: false },
    contents: contents || entry.contents.some(({ definition }) => !String(definition["name"]).startsWith("ui ")),
    ...(capabilities && { capabilities }),
  };
}

/** Returns the plan for approve: a visit in every view of the entry. */
export function planApprove(entry: LockedServer, options: PlanOptions): VisitPlan {
  const isWhole = options.views === "all" || hasAllViews(entry);
  const plan = planCheck(entry, { ...options, views: isWhole ? "all" : "client" });
  return { ...plan, ...(plan.pinned && { pinned: { ...plan.pinned, isReview: true } }) };
}

function viewsOf(client: string, views: "client" | "all"): View[] {
  if (client === "bare") return ["bare"];
  return views === "all" ? ["client", "bare"] : ["client"];
}

function hasAllViews({ sessions }: LockedServer): boolean {
  return ["/client", "/bare"].every((view) => sessions.some(({ session }) => session.endsWith(view)));
}
