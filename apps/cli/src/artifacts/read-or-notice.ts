import { ArtifactError } from "@agentprint/artifacts";
import { count } from "@agentprint/findings";
import type { FoundArtifact } from "@agentprint/launch";
import { compareArtifacts, isPinnedLaunch, type LockedServer } from "@agentprint/mcp-lock/lock";
import type { StdioTarget } from "@agentprint/mcp-visit";
import type { Context } from "../run/context.ts";
import { printNotices } from "../terminal/notices.ts";
import type { VisitHooks } from "../visit/visit-servers.ts";
import { artifactsChanged, readFound } from "./require-artifacts.ts";

/** The hooks of a visit of servers that are to be pinned: a notice says what a server does wrong, and what is not known of it. */
export function noticing(context: Context): VisitHooks {
  return {
    readArtifacts: (name, target) => readOrNotice(context, name, target),
    onLogged: (name, logged) => {
      const lines = count(logged.count, "line");
      const rule = "clients skip them, and the protocol allows only messages there";
      printNotices(context, [`${name} wrote ${lines} of log to stdout (${rule}); the first: ${logged.first}`]);
    },
  };
}

/**
 * Reads the artifacts of a server that is to be pinned. Where they cannot be read, a notice says so, and none is pinned.
 */
async function readOrNotice(
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
