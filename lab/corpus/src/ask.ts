import { answersOfEntry } from "./answers-of-entry.ts";
import type { AskedRelease } from "./edits/place-edits.ts";
import { type PinnedRelease, pinRelease, type UnreadRelease } from "./pin-releases.ts";
import { type Release, releasesByServer } from "./servers.ts";

/** The maximum number of servers that run at the same time. */
const CONCURRENCY = 2;

/** The versions of one server that could be pinned, and those that could not. */
export interface AskedServer {
  readonly name: string;
  readonly package: string;
  readonly releases: readonly AskedRelease[];
  readonly unread: readonly UnreadRelease[];
}

/** Pins every version of every server; a server with only one version is pinned twice. */
export async function askServers(isReused: boolean, tell: (line: string) => void): Promise<AskedServer[]> {
  const servers = releasesByServer();
  const visits = servers.flatMap((releases) =>
    releases.flatMap((release) => (releases.length === 1 ? [0, 1] : [0]).map((visit) => ({ release, visit }))),
  );
  const results = new Map<Release, (PinnedRelease | UnreadRelease)[]>();
  const queue = visits.values();
  const work = async (): Promise<void> => {
    for (const { release, visit } of queue) {
      const first = await pinRelease(release, { visit, isReused });
      if ("code" in first) tell(`${release.alias}: ${first.stderr}`);
      // On a busy machine, a server may take too long at the first attempt.
      const result = "code" in first ? await pinRelease(release, { visit, isReused }) : first;
      results.set(release, [...(results.get(release) ?? []), result]);
      tell(`${release.alias}: ${"code" in result ? result.code : `${result.seconds.toFixed(1)} s`}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return servers.map((releases) => {
    const [{ name, package: packageName }] = releases as [Release];
    const all = releases.flatMap((release) => results.get(release) ?? []);
    return {
      name,
      package: packageName,
      releases: all.flatMap((release) =>
        "entry" in release ? [{ ...release, answers: answersOfEntry(release.entry) }] : [],
      ),
      unread: all.flatMap((release) => ("code" in release ? [release] : [])),
    };
  });
}
