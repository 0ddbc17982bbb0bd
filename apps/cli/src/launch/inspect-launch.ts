import {
  coverageWithFiles,
  coverageWithPackages,
  type LaunchCoverage,
  type LockedArtifact,
  type LockedFile,
} from "@agentprint/launch";
import { redactLaunch } from "@agentprint/launch/redact";
import type { StdioTarget } from "@agentprint/mcp-visit";
import type { Context } from "../run/context.ts";
import { digestFiles } from "./digest-files.ts";
import { refuseLoadedCode } from "./refuse-loaded-code.ts";

/**
 * The digests of the files that a launch names, and the extent to which they cover the files that the launch
 * interprets.
 */
export interface InspectedLaunch {
  readonly files: readonly LockedFile[];
  readonly coverage?: LaunchCoverage;
}

/**
 * Inspects the files and packages that a launch leads to, before it is started.
 *
 * @param envFile The file with variables that a configuration names in addition to the launch
 * @throws {@link CliError} `launch-loads-code` when variables load code that the launch does not name; `unreadable-input`,
 * `too-large` when a file cannot be read
 */
export async function inspectLaunch(
  context: Context,
  name: string,
  target: StdioTarget,
  envFile?: string,
): Promise<InspectedLaunch> {
  await refuseLoadedCode(context, name, target);
  const files = await digestFiles(target);
  const launch = redactLaunch(target.launch);
  const ofFiles = coverageWithFiles(
    launch,
    files.map(({ pointer }) => pointer),
  );
  if (ofFiles === undefined) return { files };
  const coverage = coverageWithPackages(launch, ofFiles);
  const envFiles = [...new Set([...(coverage.envFiles ?? []), ...(envFile === undefined ? [] : [envFile])])];
  return { files, coverage: { ...coverage, ...(envFiles.length > 0 && { envFiles }) } };
}

/** Adds packages to an inspected launch; no digest covers what their install scripts write. */
export function withArtifacts(
  inspected: InspectedLaunch,
  { launch }: Pick<StdioTarget, "launch">,
  artifacts: readonly LockedArtifact[],
): InspectedLaunch {
  const { coverage } = inspected;
  if (coverage === undefined) return inspected;
  return { ...inspected, coverage: coverageWithPackages(redactLaunch(launch), coverage, artifacts) };
}
