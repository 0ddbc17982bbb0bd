import { ArtifactError } from "@agentprint/artifacts";
import type { FoundArtifact } from "@agentprint/launch";
import { compareArtifacts, isPinnedLaunch, type LockedServer } from "@agentprint/mcp-lock/lock";
import type { StdioTarget } from "@agentprint/mcp-visit";
import type { Context } from "../run/context.ts";
import { printNotices } from "../terminal/notices.ts";
import { artifactsChanged, readFound } from "./require-artifacts.ts";

/**
 * Reads the artifacts of a server that is to be pinned. Where they cannot be read, a notice says so, and none is pinned.
 */
export async function readOrNotice(
  context: Context,
  name: string,
  target: StdioTarget,
): Promise<readonly FoundArtifact[] | undefined> {
  try {
    return await readFound(context, target);
  } catch (error) {
    if (!(error instanceof ArtifactError)) throw error;
    printNotices(context, [`no integrity is known of what ${name} runs: ${error.message}`]);
    return undefined;
  }
}

/** Reads the artifacts of a pinned server that is to be approved, and says before it is started which bytes are other ones. */
export async function readForApproval(
  context: Context,
  entry: LockedServer | undefined,
  name: string,
  target: StdioTarget,
): Promise<readonly FoundArtifact[] | undefined> {
  const found = await readOrNotice(context, name, target);
  if (found === undefined || entry?.artifacts === undefined || !isPinnedLaunch(entry, target.launch)) return found;
  const { changes } = compareArtifacts(entry.artifacts, found);
  if (changes.length > 0) {
    const { message, details } = artifactsChanged(name, changes);
    printNotices(context, [`${message}, and is started\n${details.where}`]);
  }
  return found;
}
