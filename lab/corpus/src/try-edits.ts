import type { VisitAnswers } from "../../../packages/mcp/src/index.ts";
import type { DriftFinding } from "../../../packages/mcp-lock/src/index.ts";
import { findingsOf, findingsOfEdit } from "./compare.ts";
import type { Answers, Edited, Target } from "./edits/edit.ts";
import type { PlacedEdit } from "./edits/place-edits.ts";
import { type Comparison, offerOf, type Peer, type PeerAnswer, type PeerId } from "./peers/peer.ts";
import { byPreset, type Judgement, judge, type PresetName } from "./presets.ts";

/** The result of one edit. */
export interface TriedEdit extends PlacedEdit {
  /** Whether a finding names the edit, at each stage. */
  readonly isCaught: boolean;
  /** The findings that name the edit, from all stages. */
  readonly findings: readonly DriftFinding[];
  /** The same findings, grouped by stage. */
  readonly stages: readonly (readonly DriftFinding[])[];
  /** Whether the edit is stopped at one or more stages. */
  readonly judgements: Readonly<Record<PresetName, Judgement>>;
  readonly peers: Readonly<Record<PeerId, { readonly isCaught: boolean; readonly isStopped: boolean }>>;
}

/** A release with the edit, compared with the same release without this stage's step. */
interface Stage {
  readonly edited: Edited;
  readonly findings: readonly DriftFinding[];
  /** The offers of the edited server that a peer compares. */
  readonly withEdit: Comparison;
  readonly withoutEdit: Comparison;
}

/** Runs agentprint and all peers on each edit. */
export async function tryEdits(edits: readonly PlacedEdit[], peers: readonly Peer[]): Promise<TriedEdit[]> {
  const placed = edits.map((edit) => ({ edit, stages: stagesOf(edit) }));
  const comparisons = placed.flatMap(({ stages }) => stages.flatMap((stage) => [stage.withEdit, stage.withoutEdit]));
  const said = new Map<PeerId, ReadonlyMap<Comparison, PeerAnswer>>();
  for (const { id, compare } of peers) {
    const answers = await compare(comparisons);
    said.set(id, new Map(comparisons.map((comparison, index) => [comparison, answers[index] as PeerAnswer])));
  }
  return placed.map(
    ({ edit, stages }): TriedEdit => ({
      ...edit,
      isCaught: stages.every(({ findings }) => findings.length > 0),
      findings: stages.flatMap(({ findings }) => findings),
      stages: stages.map(({ findings }) => findings),
      judgements: byPreset((preset) => {
        const judged = stages.map(({ findings }) => judge(findings, preset));
        return {
          failsCheck: judged.some((stage) => stage.failsCheck),
          stopsGuard: judged.some((stage) => stage.stopsGuard),
        };
      }),
      peers: Object.fromEntries(
        [...said].map(([id, answers]) => [
          id,
          {
            isCaught: stages.every((stage) => isNamed(stage, answers, "reported")),
            isStopped: stages.some((stage) => isNamed(stage, answers, "stopped")),
          },
        ]),
      ) as TriedEdit["peers"],
    }),
  );
}

function stagesOf({ releases, place }: PlacedEdit): Stage[] {
  const at = (release: Answers, stage: number): Answers => (stage === 0 ? release : place(release, stage).answers);
  return releases.slice(1).map((release, index) => {
    const before = at(releases[index] as Answers, index);
    const clean = at(release, index);
    const edited = place(release, index + 1);
    const [{ server }] = edited.targets as [Target, ...Target[]];
    const compared = (after: Answers): Comparison => ({
      before: offerOf(before[server] as VisitAnswers),
      after: offerOf(after[server] as VisitAnswers),
    });
    return {
      edited,
      findings: findingsOfEdit(edited, findingsOf(before, edited.answers), findingsOf(before, clean)),
      withEdit: compared(edited.answers),
      withoutEdit: compared(clean),
    };
  });
}

/** Returns whether a peer's answer about a target differs from its answer without the edit. */
function isNamed(
  { edited, withEdit, withoutEdit }: Stage,
  answers: ReadonlyMap<Comparison, PeerAnswer>,
  what: keyof PeerAnswer,
): boolean {
  const [now, clean] = [answers.get(withEdit)?.[what], answers.get(withoutEdit)?.[what]];
  return edited.targets
    .map(({ kind, name }) => (kind === "server" ? "instructions" : `${kind} ${name}`))
    .some((subject) => now?.has(subject) && now.get(subject) !== clean?.get(subject));
}
