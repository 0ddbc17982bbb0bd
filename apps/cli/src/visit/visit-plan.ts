import type { JsonObject } from "@agentprint/canonical-json/json-value";
import type { View } from "@agentprint/mcp";
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
}

type PlanOptions = Pick<VisitOptions, "as" | "capabilities" | "contents" | "protocol" | "views">;

/**
 * Returns the plan of pin: a visit as a common client and as a bare one, because a server can hide items from one of
 * them.
 */
export function planPin(options: PlanOptions): VisitPlan {
  const { as: client = DEFAULT_CLIENT, views = "all", capabilities, contents, protocol } = options;
  return { client, views: viewsOf(client, views), contents, protocol, ...(capabilities && { capabilities }) };
}

/** Returns the plan of check: a visit as in the entry. */
export function planCheck(entry: LockedServer | undefined, options: PlanOptions): VisitPlan {
  const { contents, protocol, views = "client" } = options;
  if (entry === undefined) return planPin({ ...options, views });
  const { client, clientCapabilities: capabilities } = entry;
  return {
    client,
    views: viewsOf(client, views),
    protocol,
    contents: contents || entry.contents.some(({ definition }) => !String(definition["name"]).startsWith("ui ")),
    ...(capabilities && { capabilities }),
  };
}

/** Returns the plan of approve: a visit in every view of the entry. */
export function planApprove(entry: LockedServer, options: PlanOptions): VisitPlan {
  const isWhole = options.views === "all" || hasAllViews(entry);
  return planCheck(entry, { ...options, views: isWhole ? "all" : "client" });
}

function viewsOf(client: string, views: "client" | "all"): View[] {
  if (client === "bare") return ["bare"];
  return views === "all" ? ["client", "bare"] : ["client"];
}

function hasAllViews({ sessions }: LockedServer): boolean {
  return ["/client", "/bare"].every((view) => sessions.some(({ session }) => session.endsWith(view)));
}
