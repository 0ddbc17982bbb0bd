import { readLauncher } from "@agentprint/launch";
import type { ServerDrift } from "../drift/drift.ts";
import { byRule } from "./by-rule.ts";
import type { DriftFinding } from "./finding.ts";

/**
 * Returns the findings about a launch that no reviewer has accepted. The report holds only the launch itself, so that a
 * bundle of `checkLock` does not include the code that interprets launches.
 */
export function findingsOfLaunch(
  server: string,
  { before, after }: NonNullable<ServerDrift["launch"]>,
): DriftFinding[] {
  const launcher = readLauncher(after);
  if (before !== undefined && JSON.stringify(readLauncher(before)) === JSON.stringify(launcher)) return [];
  const place = { subject: server, server };
  if (launcher.kind === "unknown") {
    const message = `launch by ${launcher.runner} has a form that could not be read`;
    return [{ ...byRule("mcp/unknown-launcher", message), place, isRemark: true }];
  }
  if (!("package" in launcher) || launcher.version === "exact") return [];
  const { runner, package: name, version, versionText, pointer } = launcher;
  const named =
    version === "none"
      ? "without a version"
      : `in the ${version === "tag" ? "version with the tag" : "range"} ${versionText}`;
  const note = `${runner} fetches ${name} ${named}`;
  const kind = byRule("mcp/floating-version", "launch names no exact version");
  return [{ ...kind, place: { ...place, pointer }, note, isRemark: true }];
}
