import { ArtifactError } from "@agentprint/artifacts";
import { compareArtifacts, isPinnedLaunch, type LockedServer, unpinnedPackages } from "@agentprint/mcp-lock/lock";
import type { StdioTarget } from "@agentprint/mcp-visit";
import type { Context } from "../run/context.ts";
import { printNotices } from "../terminal/notices.ts";
import { type Preparation, type PreparedTarget, prepareTarget } from "./prepare-target.ts";
import { type AllowingCommand, artifactsChanged, refuseScripts } from "./require-artifacts.ts";

/** How to prepare a server for pinning, with the packages whose install scripts may run. */
export interface ToPin extends Preparation {
  readonly scripts: readonly string[];
  /** The command that allows more packages to run install scripts. */
  readonly allowing: AllowingCommand;
}

/**
 * Prepares the target of a server to pin. If its packages cannot be read, a notice says so, and none are pinned.
 *
 * @throws {@link CliError} `needs-scripts` if another package has such a script, or one failed
 */
export async function prepareOrNotice(
  context: Context,
  name: string,
  target: StdioTarget,
  preparation: ToPin,
): Promise<PreparedTarget> {
  const { allowing, ...prepare } = preparation;
  try {
    return await prepareTarget(context, target, prepare);
  } catch (error) {
    if (!(error instanceof ArtifactError)) throw error;
    refuseScripts(name, error, allowing);
    // A pinned version may be gone from the registry.
    const { locked, ...unpinned } = preparation;
    if (locked !== undefined) return prepareOrNotice(context, name, target, unpinned);
    printNotices(context, [`no integrity is known for what ${name} runs: ${error.message}`]);
    return { target };
  }
}

/**
 * Prepares the target of a pinned server to approve, and reports before the start which bytes differ. The install
 * scripts of the packages that the entry or `allowScripts` names may run.
 */
export async function prepareForApproval(
  context: Context,
  entry: LockedServer | undefined,
  name: string,
  target: StdioTarget,
  { lock, allowScripts }: Pick<ToPin, "lock"> & { readonly allowScripts: readonly string[] },
): Promise<PreparedTarget> {
  const kept = (entry?.artifacts ?? []).flatMap((artifact) => artifact.scripts ?? []);
  const scripts = [...new Set([...kept, ...allowScripts])];
  const locked = entry && isPinnedLaunch(entry, target.launch) ? entry.artifacts : undefined;
  const prepared = await prepareOrNotice(context, name, target, { lock, scripts, locked, allowing: "this" });
  const { artifacts, packages = {} } = prepared;
  if (artifacts === undefined || locked === undefined) return prepared;
  const { changes } = compareArtifacts(locked, artifacts);
  const all = changes.length > 0 ? changes : unpinnedPackages(locked, packages);
  if (all.length > 0) {
    const { message, details } = artifactsChanged(name, all);
    printNotices(context, [`${message}, and is started\n${details.where}`]);
  }
  return prepared;
}
