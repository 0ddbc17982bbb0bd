import { toPointer } from "@agentprint/canonical-json";
import { SCREENINGS, type Screening } from "../apply/decisions.ts";
import type { Policy } from "../apply/policy.ts";
import { screeningOf } from "../apply/screening.ts";
import { type Weakening, weakening } from "./weakening.ts";

/** Returns the weakenings for servers whose results are screened less than before. */
export function weakenedResults(before: Policy, after: Policy): Weakening[] {
  const [was, is] = [before, after].map(({ results }) => results?.screen ?? "off") as [Screening, Screening];
  const servers = new Set([...Object.keys(before.servers), ...Object.keys(after.servers)]);
  const ofServers = [...servers].flatMap((server) => {
    const [old, now] = [screeningOf(before, server), screeningOf(after, server)];
    // The policy-wide difference is reported only once.
    return old === was && now === is ? [] : weakened(["servers", server], old, now);
  });
  return [...weakened([], was, is), ...ofServers];
}

function weakened(path: readonly string[], before: Screening, after: Screening): Weakening[] {
  if (SCREENINGS.indexOf(after) >= SCREENINGS.indexOf(before)) return [];
  const what = `hidden text in messages is treated as ${after} instead of ${before}`;
  return [weakening(toPointer([...path, "results", "screen"]), what, before, after)];
}
