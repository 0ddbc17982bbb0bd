import type { JSX } from "preact";
import type { TrailResult } from "../jobs/trail-job.ts";
import { useTexts } from "../texts/language.ts";
import { Badge } from "../view/badge.tsx";
import { JobStatus } from "../view/job-status.tsx";
import { LineField } from "../view/line-field.tsx";
import { Shown } from "../view/shown.tsx";
import { SourceField } from "../view/source-field.tsx";
import { ToolForm } from "../view/tool-form.tsx";
import type { ToolProperties } from "../view/tool-properties.ts";
import { useJob } from "../view/use-job.ts";
import { DrawnChain } from "./drawn-chain.tsx";
import { GivenConsistency } from "./given-consistency.tsx";
import { GivenProof } from "./given-proof.tsx";

/** Verifies a trail in the worker and draws its chain; also checks checkpoints and proofs. */
export function TrailTool({ state, onChange }: ToolProperties<"trail">): JSX.Element {
  const texts = useTexts().trail;
  const job = useJob("trail");
  const anchor = {
    checkpoint: asText(state.checkpoint),
    key: asText(state.key),
    origin: asText(state.origin),
  };
  return (
    <>
      <ToolForm run={texts.run} onRun={() => job.run({ ...anchor, trail: state.trail, task: asText(state.task) })}>
        <SourceField label={texts.trail} value={state.trail} onChange={(trail) => onChange({ ...state, trail })} />
        <details class="wide" open={anchor.checkpoint !== ""}>
          <summary>{texts.checkpointTitle}</summary>
          <SourceField
            label={texts.checkpoint}
            value={state.checkpoint}
            onChange={(checkpoint) => onChange({ ...state, checkpoint })}
          />
          <div class="row">
            <LineField label={texts.key} value={anchor.key} onChange={(key) => onChange({ ...state, key })} />
            <LineField
              label={texts.origin}
              value={anchor.origin}
              onChange={(origin) => onChange({ ...state, origin })}
            />
            <LineField
              label={texts.task}
              value={asText(state.task)}
              onChange={(task) => onChange({ ...state, task })}
            />
          </div>
        </details>
      </ToolForm>
      <JobStatus job={job}>
        {(result) => (
          <>
            <Found {...result} />
            <DrawnChain key={result.milliseconds} result={result} engine={job.engine.current} />
          </>
        )}
      </JobStatus>
      <GivenProof anchor={anchor} value={asText(state.proof)} onChange={(proof) => onChange({ ...state, proof })} />
      <GivenConsistency
        anchor={anchor}
        older={asText(state.older)}
        consistency={asText(state.consistency)}
        onChange={(change) => onChange({ ...state, ...change })}
      />
    </>
  );
}

/** Returns the text of a field that accepts no file. */
function asText(value: string | File): string {
  return typeof value === "string" ? value : "";
}

function Found({ ok, records, bytes, milliseconds, chains, tasks, problemCount, anchor }: TrailResult): JSX.Element {
  const all = useTexts();
  const texts = all.trail;
  return (
    <div class="card">
      <h2>
        <Badge tone={ok ? "good" : records === 0 ? "odd" : "bad"} />{" "}
        {records === 0 ? texts.empty : ok ? texts.whole(records, tasks) : texts.problems(problemCount, records)}
      </h2>
      <p class="dim">
        {all.bytes(bytes)}, {texts.seconds(milliseconds / 1000)}
      </p>
      {anchor !== undefined && (
        <p>
          <Badge tone={!anchor.fits ? "bad" : anchor.isSigned ? "good" : "odd"} />{" "}
          {anchor.fits ? texts.anchorFits(anchor.size) : texts.anchorDiffers(anchor.size)}{" "}
          {anchor.isSigned ? texts.signed : texts.unsigned} <Shown text={anchor.origin} />
        </p>
      )}
      <ul class="plain dim">
        {chains.map(({ taskId, length, head, problemCount: count }, index) => (
          <li key={index}>
            {taskId === null ? texts.noTask : <Shown text={taskId} />}: {texts.chain(length, count)}{" "}
            <code>{head ?? "–"}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}
