import type { JsonObject } from "@agentprint/canonical-json/json-value";
import type { ServerAuth, View } from "@agentprint/mcp";
import type { LockedServer } from "@agentprint/mcp-lock";
import { DEFAULT_CLIENT } from "@agentprint/mcp-visit";
import type { VisitOptions } from "../visit-options.ts";

/** The client that a visit speaks as, and what the visit reads. */
export interface VisitPlan {
  /** `claude-code`, `cursor`, …, or `bare`. */
  readonly client: string;
  /** The capabilities that the view `client` declares in place of those its client is known to declare. */
  readonly capabilities?: JsonObject;
  readonly views: readonly View[];
  readonly contents: boolean;
  readonly protocol: string;
  /** The account by whose login the server is visited; absent for the login without a name. */
  readonly account?: string | undefined;
  /** The entry of the server, as far as it says by which login the server is reached; absent for a server without an entry. */
  readonly pinned?: PinnedLogin;
}

/** The login that an entry holds. */
export interface PinnedLogin {
  /** The name of the server. */
  readonly name: string;
  /** Absent where the server was pinned without a login. */
  readonly auth?: ServerAuth | undefined;
  /** Whether the visit serves a review, so that a login may have moved since the pin. */
  readonly isReview: boolean;
}

/**
 * Returns the plan of pin: a visit as a common client and as a bare one, because a server can hide items from one of
 * them.
 */
export function planPin(options: VisitOptions & { readonly account?: string }): VisitPlan {
  const { as: client = DEFAULT_CLIENT, views = "all", capabilities, contents, protocol, account } = options;
  return { client, account, views: viewsOf(client, views), contents, protocol, ...(capabilities && { capabilities }) };
}

/** Returns the plan of check: a visit as in the entry, unless the options differ. */
export function planCheck(entry: LockedServer | undefined, options: VisitOptions): VisitPlan {
  if (entry === undefined) return planPin({ ...options, views: options.views ?? "client" });
  const client = options.as ?? entry.client;
  const capabilities = options.capabilities ?? (options.as === undefined ? entry.clientCapabilities : undefined);
  return {
    client,
    views: viewsOf(client, options.views ?? "client"),
    protocol: options.protocol,
    account: entry.auth?.account,
    pinned: { name: entry.name, auth: entry.auth, isReview: false },
    contents:
      options.contents || entry.contents.some(({ definition }) => !String(definition["name"]).startsWith("ui ")),
    ...(capabilities && { capabilities }),
  };
}

/** Returns the plan of approve: a visit in every view of the entry. */
export function planApprove(entry: LockedServer | undefined, options: VisitOptions): VisitPlan {
  const views = entry === undefined ? "client" : viewsIn(entry.sessions.map(({ session }) => session));
  const plan = planCheck(entry, { ...options, views: options.views ?? views });
  return { ...plan, ...(plan.pinned && { pinned: { ...plan.pinned, isReview: true } }) };
}

function viewsOf(client: string, views: "client" | "all"): View[] {
  if (client === "bare") return ["bare"];
  return views === "all" ? ["client", "bare"] : ["client"];
}

function viewsIn(sessions: readonly string[]): "client" | "all" {
  const isBoth = ["/client", "/bare"].every((view) => sessions.some((session) => session.endsWith(view)));
  return isBoth ? "all" : "client";
}
