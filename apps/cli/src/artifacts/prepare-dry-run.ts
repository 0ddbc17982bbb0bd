import { ArtifactError } from "@agentprint/artifacts";
import { readInstallable } from "@agentprint/launch";
import type { LockedServer } from "@agentprint/mcp-lock/lock";
import type { StdioTarget } from "@agentprint/mcp-visit";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { commandLine } from "../terminal/command-line.ts";
import { printNotices } from "../terminal/notices.ts";
import { type PreparedTarget, prepareTarget } from "./prepare-target.ts";
import { type ArtifactDemands, refuseScripts, requireArtifacts } from "./require-artifacts.ts";

/**
 * Prepares the target of a server whose guard refuses nothing. If its packages are not the pinned ones, a notice says
 * so, and the current packages are installed and started by their path, never by the runner, which would choose its
 * own. Install scripts run only from the pinned bytes.
 *
 * @throws {@link CliError} `needs-scripts`, `unreadable-input` if the packages cannot be installed without the runner
 */
export async function prepareDryRun(
  context: Context,
  entry: LockedServer,
  target: StdioTarget,
  demands: Pick<ArtifactDemands, "lock">,
): Promise<PreparedTarget> {
  const { name } = entry;
  try {
    return await requireArtifacts(context, entry, target, demands);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    printNotices(context, [error.message]);
  }
  const { command, args, env } = target;
  // If the packages of a launch cannot be installed, the launch itself is started.
  if (readInstallable({ type: "stdio", command, args: [...args], env: Object.keys(env) }) === undefined)
    return { target };
  const prepared = await prepareTarget(context, target, demands).catch((error: unknown) => {
    if (!(error instanceof ArtifactError)) throw error;
    refuseScripts(name, error, "approve");
    throw new CliError("unreadable-input", `${name} was not started: ${error.message}`, {
      where: name,
      expected: "packages that can be installed, as is required without --dry-run, too",
      fix: "run the command again where the registry is reachable",
      cause: error,
    });
  });
  const { target: started } = prepared;
  const shown = context.hidden.replace(commandLine([started.command, ...started.args]));
  printNotices(context, [`${name}: instead of ${command}, the program that is now installed is started: ${shown}`]);
  return prepared;
}
