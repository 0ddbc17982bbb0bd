import { canonicalize } from "../../../packages/canonical-json/src/index.ts";
import type { DriftFinding } from "../../../packages/mcp-lock/src/index.ts";
import { findingsOf, isAbout } from "./compare.ts";
import { toolsOf } from "./edits/edit.ts";
import type { AskedRelease } from "./edits/place-edits.ts";
import { offerOf, type Peer, type PeerAnswer, type PeerId } from "./peers/peer.ts";
import { applied, byPreset, judge } from "./presets.ts";
import type { CorpusResults, Levels, UpgradeResult } from "./results.ts";

/** Two consecutive versions of a server. */
export type Upgrade = readonly [before: AskedRelease, after: AskedRelease];

/** Compares the versions of each upgrade with agentprint and with each peer. */
export async function compareUpgrades(
  upgrades: readonly Upgrade[],
  peers: readonly Peer[],
): Promise<Pick<CorpusResults, "upgrades" | "peers">> {
  const comparisons = upgrades.map(([before, after]) => ({
    before: offerOf(before.answers),
    after: offerOf(after.answers),
  }));
  const said = new Map<PeerId, readonly PeerAnswer[]>();
  const results: CorpusResults["peers"][number][] = [];
  for (const { id, label, compare } of peers) {
    const start = performance.now();
    said.set(id, await compare(comparisons));
    results.push({ id, label, seconds: Math.round(performance.now() - start) / 1000 });
  }
  const compared = upgrades.map((upgrade, index): UpgradeResult => {
    const [before, after] = upgrade;
    const start = performance.now();
    const findings = findingsOf({ [before.name]: before.answers }, { [after.name]: after.answers });
    const milliseconds = Math.round(performance.now() - start);
    const changed = changedTools(upgrade);
    const tool = { server: before.name, kind: "tool" } as const;
    const ofPeer = (answers: readonly PeerAnswer[]): UpgradeResult["peers"][PeerId] => {
      const { reported, stopped } = answers[index] as PeerAnswer;
      return { stops: stopped.size > 0, missedTools: changed.filter((tool) => !reported.has(`tool ${tool}`)).length };
    };
    return {
      server: before.name,
      from: before.version,
      to: after.version,
      tools: toolsOf(after.answers).length,
      changedTools: changed.length,
      missedTools: changed.filter((name) => !findings.some((finding) => isAbout(finding, { ...tool, name }))).length,
      levels: byPreset((preset) => levelsOf(applied(findings, preset))),
      stops: byPreset((preset) => judge(findings, preset).failsCheck),
      peers: Object.fromEntries([...said].map(([id, answers]) => [id, ofPeer(answers)])) as UpgradeResult["peers"],
      milliseconds,
    };
  });
  return { upgrades: compared, peers: results };
}

/** Returns the names of the tools that differ between both versions. */
function changedTools([before, after]: Upgrade): string[] {
  const texts = (release: AskedRelease): Map<string, string> =>
    new Map(toolsOf(release.answers).map((tool) => [String(tool["name"]), canonicalize(tool)]));
  const [old, now] = [texts(before), texts(after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter((name) => old.get(name) !== now.get(name));
}

/** Counts the findings at each level, except remarks, which are not differences. */
function levelsOf(findings: readonly DriftFinding[]): Levels {
  const of = (level: string): number =>
    findings.filter((finding) => finding.level === level && !finding.isRemark).length;
  return { error: of("error"), warning: of("warning"), note: of("note") };
}
