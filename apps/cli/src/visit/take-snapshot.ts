import type { JsonObject, ServerSnapshot } from "@agentprint/mcp-lock";
import { type Limits, takeSnapshot as takeSnapshotOf, type VisitTarget } from "@agentprint/mcp-visit";
import { expandLaunch, launchWith, type Start } from "../launch/start.ts";

/** Starts or calls a server, takes everything it says about itself, and ends it, whatever happens in between. */
export async function takeSnapshot(
  start: Start,
  clientCapabilities: JsonObject,
  limits: Limits,
): Promise<ServerSnapshot> {
  return takeSnapshotOf(await targetOf(start), clientCapabilities, limits);
}

/** How a server is reached: its launch with every reference filled in. */
export async function targetOf(start: Start): Promise<VisitTarget> {
  const values = await start.values();
  const launch = launchWith(start.launch, values);
  const expanded = expandLaunch(start);
  return expanded.type === "stdio"
    ? { ...expanded, launch, env: values }
    : { type: "http", launch, url: expanded.url, headers: values };
}
