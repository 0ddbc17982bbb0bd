import type { AskedServer } from "./ask.ts";
import type { PeerId } from "./peers/peer.ts";
import { byPreset } from "./presets.ts";
import type { CorpusResults, EditResult } from "./results.ts";
import type { TriedEdit } from "./try-edits.ts";

/** Returns the results of the edits, grouped by recipe. */
export function summarizeEdits(tried: readonly TriedEdit[], peers: readonly PeerId[]): EditResult[] {
  const recipes = [...new Set(tried.map(({ recipe }) => recipe))];
  return recipes.map((recipe): EditResult => {
    const all = tried.filter((edit) => edit.recipe === recipe);
    const count = (is: (edit: TriedEdit) => boolean | undefined): number => all.filter(is).length;
    return {
      family: (all[0] as TriedEdit).family,
      what: recipe.what,
      layer: recipe.layer,
      placed: all.length,
      caught: count(({ isCaught }) => isCaught),
      stopped: byPreset((preset) => ({
        check: count(({ judgements }) => judgements[preset].failsCheck),
        guard: count(({ judgements }) => judgements[preset].stopsGuard),
      })),
      peers: Object.fromEntries(
        peers.map((peer) => [
          peer,
          {
            caught: count((edit) => edit.peers[peer].isCaught),
            stopped: count((edit) => edit.peers[peer].isStopped),
          },
        ]),
      ) as EditResult["peers"],
    };
  });
}

export function summarizeServer({
  name,
  package: packageName,
  releases,
  unread,
}: AskedServer): CorpusResults["servers"][number] {
  const versions = [...new Set(releases.map(({ version }) => version))];
  const seconds = releases.reduce((sum, release) => sum + release.seconds, 0) / Math.max(1, releases.length);
  const notes = [
    ...unread.map(({ version, code }) => `${version} could not be pinned (\`${code}\`).`),
    ...(versions.length === 1 ? [onlyOne(versions[0] as string, releases)] : []),
  ];
  return {
    name,
    package: packageName,
    versions,
    seconds: Math.round(seconds * 10) / 10,
    ...(notes.length > 0 && { note: notes.join(" ") }),
  };
}

function onlyOne(version: string, releases: AskedServer["releases"]): string {
  const digests = new Set(releases.map(({ entry }) => entry.digest));
  const twice =
    digests.size === 1
      ? "two visits to it got the same answers"
      : "two visits got different answers, so `check` reports a difference although nothing changed";
  return `${version} is the only version that could be installed; ${twice}.`;
}
